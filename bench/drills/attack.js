// Clients that take connections and give them little to do, in a thread of their own.
import { Worker } from 'node:worker_threads'

/**
 * Opens connections that never finish what they begin. One that the server closes is opened again, as an attacker would.
 * @param options.kind `slow-heads` and `slow-bodies` send a byte or a header a second; `idle` sends nothing
 * @param options.connections how many
 * @param options.addresses how many addresses of the loopback network they come from, the first of them `from`
 */
export function startAttack(url, { kind, connections, addresses = 40, from = '127.0.1.1' }) {
  const worker = new Worker(new URL('attack-thread.js', import.meta.url), {
    workerData: { url: String(url), kind, connections, addresses, from },
  })
  const done = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  done.catch(() => {})
  return {
    /** @returns `closed`, how many connections the server closed, and `longestMs`, the longest time that one was open */
    stop() {
      worker.postMessage('stop')
      return done
    },
  }
}
