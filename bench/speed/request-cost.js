// Measures the CPU time that a server takes for a request, in this process and over sockets in memory: no kernel, no load
// generator, nothing that another process delays. Of many short batches the cheapest counts, so that a busy machine cannot
// fool it. Arguments: how many batches, the path, the Cookie header, and then the server's module with its own arguments.
import { Server } from 'node:net'
import { Duplex } from 'node:stream'

const sockets = 30
const turns = 20
const [batches, path, cookie, module, ...args] = process.argv.slice(2)
const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`)

let received = 0
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
    for (const { chunk, encoding } of chunks) received += Buffer.byteLength(chunk, encoding)
    onData()
    done()
  }
}

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

/** Sends a request on each of these connections; resolves when so many bytes have come. */
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
let least = Number.POSITIVE_INFINITY
for (let i = 0; i < Number(batches); i += 1) least = Math.min(least, await batch())
process.stderr.write(`\n${JSON.stringify({ microseconds: least, length })}\n`)
process.exit()
