// The limit in practice: a plain Fastify that answers a string that is ready.
import { readFileSync } from 'node:fs'
import fastify from 'fastify'

const [port, file] = process.argv.slice(2)
const answers = JSON.parse(readFileSync(file, 'utf8'))

const app = fastify()
for (const [path, body] of Object.entries(answers)) {
  const text = JSON.stringify(body)
  app.get(path, (_, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8').send(text)
  })
}
// Ends as a program does, so that a profile of it is written.
process.once('SIGTERM', () => process.exit())
await app.listen({ port: Number(port), host: '127.0.0.1' })
