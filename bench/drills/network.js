// A network between the service and its database: a TCP proxy that stalls, resets and delays.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Starts a proxy to a port on loopback. */
export async function startNetwork(targetPort) {
  let leadsTo = targetPort
  let delayMs = 0
  let isCut = false
  /** While it stalls, the promise of its end. */
  let stalled
  let endStall = () => {}
  const sockets = new Set()

  /** Bytes leave in the order in which they came, whatever the delays of their time. */
  const forward = (from, to) => {
    let sent = Promise.resolve()
    const after = (act) => {
      const due = performance.now() + delayMs
      sent = sent.then(async () => {
        if (due > performance.now()) await sleep(due - performance.now())
        await stalled
        act()
      })
    }
    from.on('data', (bytes) => after(() => to.writable && to.write(bytes)))
    from.on('end', () => after(() => to.end()))
    from.on('error', () => {})
    from.on('close', (hasError) => {
      sockets.delete(from)
      if (hasError) to.destroy()
    })
  }

  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (isCut) return near.resetAndDestroy()
    const far = connect({ port: leadsTo, host: '127.0.0.1', allowHalfOpen: true })
    for (const socket of [near, far]) sockets.add(socket.setNoDelay())
    forward(near, far)
    forward(far, near)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const pass = () => {
    delayMs = 0
    isCut = false
    stalled = undefined
    endStall()
  }
  return {
    port: server.address().port,
    /** From now on bytes pass again, those that waited first. */
    pass,
    /** From now on no bytes arrive, neither on new connections. */
    stall() {
      stalled = new Promise((resolve) => {
        endStall = resolve
      })
    },
    /** From now on bytes take this long in each direction, in ms. */
    delay(ms) {
      delayMs = ms
    },
    /** Resets all connections. */
    reset,
    /** Leads to another port, as a balancer does after a failover. Connections to the one before are reset. */
    lead(port) {
      leadsTo = port
      reset()
    },
    /** The same, and from now on new ones too. */
    cut() {
      isCut = true
      reset()
    },
    close() {
      pass()
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** The address of a database with another port. */
export const throughPort = (url, port) => Object.assign(new URL(url), { port }).href
