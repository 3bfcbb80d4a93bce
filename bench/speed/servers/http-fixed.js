// The platform limit: node:http that sends fixed bytes.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, file] = process.argv.slice(2)
const responses = JSON.parse(readFileSync(file, 'utf8'))
const bytes = Object.fromEntries(
  Object.entries(responses).map(([path, body]) => [path, Buffer.from(JSON.stringify(body))]),
)

createServer((request, response) => {
  const body = bytes[request.url]
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  })
  response.end(body)
}).listen(Number(port), '127.0.0.1')
