import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder } from '../cli/cli-process.js'
import { seededDatabase, serve } from './serving.js'

const connections = 1_000
/** The number of connections that the system lets wait; 0 if it does not report it. */
const most = () =>
  process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) : 0

test.skipIf(most() < 2 * connections)(
  'a flood of connections does not fill the queue of other clients while the service is busy',
  async () => {
    const file = join(emptyFolder(), 'live.db')
    await seededDatabase(file)
    const { url, child } = await serve(file)
    const { hostname, port } = new URL(url)
    child.kill('SIGSTOP')
    onTestFinished(() => void child.kill('SIGCONT'))
    const sockets = Array.from({ length: connections }, () => connect({ host: hostname, port: Number(port) }))
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
    // The system retries a connection that does not fit after a second, until the process continues.
    const all = await Promise.race([
      Promise.all(sockets.map((socket) => once(socket, 'connect'))).then(() => 'connected'),
      new Promise((resolve) => setTimeout(resolve, 60_000, 'some wait')),
    ])
    expect(all).toBe('connected')
  },
)
