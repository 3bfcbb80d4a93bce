// Measures the CPU time that a server takes for a request, in this process and over sockets in memory: without the kernel, a load
// generator, or delays by other processes. The cheapest of many short batches counts, so that a busy machine does not matter.
// Arguments: options as JSON, then the module of the server and its arguments.
import { subscribe } from 'node:diagnostics_channel'
import { Server } from 'node:net'
import { Duplex } from 'node:stream'

const sockets = 30
const turns = 20
const [options, module, ...args] = process.argv.slice(2)
const { batches, path, cookie = '', withoutHook } = JSON.parse(options)
const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`)

let received = 0
let firstLine = ''
let onData = () => {}
class MemorySocket extends Duplex {
  remoteAddress = '127.0.0.1'
  setTimeout() {
    return this
  }
  setNoDelay() {}
  setKeepAlive() {}
  _read() {}
  _write(chunk, encoding, done) {
    this._writev([{ chunk, encoding }], done)
  }
  _writev(chunks, done) {
    firstLine ||= String(chunks[0].chunk).split('\r\n', 1)[0]
    for (const { chunk, encoding } of chunks) received += Buffer.byteLength(chunk, encoding)
    onData()
    done()
  }
}

/** The request hooks that the server added to Fastify, by kind and module. One of them can be omitted. */
const hooks = []
subscribe('fastify.initialization', ({ fastify: app }) => {
  const { addHook } = app
  app.addHook = function (kind, hook) {
    if (!/^(onRequest|preParsing|preValidation|preHandler|onSend|onResponse)$/.test(kind)) {
      return addHook.call(this, kind, hook)
    }
    const caller = new Error().stack.split('\n')[2]
    const [, place] = caller.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/) ?? caller.match(/([^/(]+)\.js/) ?? []
    hooks.push(`${kind} of ${place}`)
    return hooks.at(-1) === withoutHook ? this : addHook.call(this, kind, hook)
  }
})

const listening = new Promise((resolve) => {
  const { listen } = Server.prototype
  Server.prototype.listen = function (...options) {
    this.once('listening', () => setImmediate(resolve, this))
    return listen.apply(this, options)
  }
})
process.argv = [process.execPath, module, ...args]
void import(module)
const server = await listening

const clients = Array.from({ length: sockets }, () => new MemorySocket())
for (const client of clients) server.emit('connection', client)

/** Sends a request on each connection, and resolves when the expected number of bytes has come. */
const send = (some, bytes) =>
  new Promise((resolve) => {
    received = 0
    onData = () => received >= bytes && setImmediate(resolve)
    for (const client of some) client.push(request)
  })

await send(clients.slice(0, 1), 1)
await new Promise((resolve) => setTimeout(resolve, 200))
const length = received
const batch = async () => {
  const { user, system } = process.cpuUsage()
  for (let turn = 0; turn < turns; turn += 1) await send(clients, sockets * length)
  const used = process.cpuUsage()
  return (used.user - user + used.system - system) / (sockets * turns)
}
let cpuUs = Number.POSITIVE_INFINITY
for (let i = 0; i < batches; i += 1) cpuUs = Math.min(cpuUs, await batch())
process.stderr.write(`\n${JSON.stringify({ cpuUs, length, firstLine, hooks })}\n`, () => process.exit())
