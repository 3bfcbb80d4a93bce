// The control of the fuzzer: a server with a bug in its body parser, which sends a 500 that is not of the contract.
import { createServer } from 'node:http'

const error = { error: 'Nothing here.', code: 'NOT_FOUND', docsUrl: 'http://127.0.0.1/docs/errors/not-found' }

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    const isBug = text.includes('__proto__')
    const body = isBug ? 'TypeError' : JSON.stringify(error)
    response.writeHead(isBug ? 500 : 404, {
      'content-type': isBug ? 'text/plain' : 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`)
})
