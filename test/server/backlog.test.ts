import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder } from '../cli/cli-process.js'
import { seededDatabase, serve } from './serving.js'

const connections = 1_000
/** How many connections this system lets wait; 0 where it does not say. */
const most = () =>
  process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) : 0

test.skipIf(most() < 2 * connections)(
  'a flood of connections fills no queue in which those of others wait, while the service does something else',
  async () => {
    const file = join(emptyFolder(), 'live.db')
    await seededDatabase(file)
    const { url, child } = await serve(file)
    const { hostname, port } = new URL(url)
    child.kill('SIGSTOP')
    onTestFinished(() => void child.kill('SIGCONT'))
    const sockets = Array.from({ length: connections }, () => connect({ host: hostname, port: Number(port) }))
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
    // A connection that does not fit is tried again after a second, and again and again until the process goes on.
    const all = await Promise.race([
      Promise.all(sockets.map((socket) => once(socket, 'connect'))).then(() => 'connected'),
      new Promise((resolve) => setTimeout(resolve, 60_000, 'some wait')),
    ])
    expect(all).toBe('connected')
  },
)
