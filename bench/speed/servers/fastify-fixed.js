// The practical limit: plain Fastify that sends a fixed string.
import { readFileSync } from 'node:fs'
import fastify from 'fastify'

const [port, file] = process.argv.slice(2)
const responses = JSON.parse(readFileSync(file, 'utf8'))

/** The request log of Fastify, if `LOG` is set. */
const app = fastify({ logger: Boolean(process.env.LOG) })
for (const [path, body] of Object.entries(responses)) {
  const text = JSON.stringify(body)
  app.get(path, (_, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8').send(text)
  })
}
// Exits normally, so that Node writes a profile.
process.once('SIGTERM', () => process.exit())
await app.listen({ port: Number(port), host: '127.0.0.1' })
