// Preloaded by a node: counts, for each request, the requests of a marked client that the node executes while it waits. Unlike a
// duration, this number does not depend on the machine. The header `x-drill-turns` of the response has it.
import { Server } from 'node:http'

/** Marks the requests that are counted. */
const mark = 'x-drill-counted'
const refused = 429

let executed = 0
const { emit } = Server.prototype
Server.prototype.emit = function (event, ...args) {
  if (event === 'request') {
    const [request, response] = args
    const before = executed
    const { writeHead } = response
    response.writeHead = function (status, ...more) {
      if (request.headers[mark] === undefined) this.setHeader('x-drill-turns', executed - before)
      else if (status !== refused) executed += 1
      return writeHead.call(this, status, ...more)
    }
  }
  return emit.call(this, event, ...args)
}
