import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { shutdownSignal } from '../../src/cli/signals.js'
import { bin, startProcess } from './cli-process.js'
import { listenOnFreePort } from './take-port.js'

// At a signal, Ink restores the terminal, then ends the process unless it finds another listener.
test('shutdownSignal keeps its listener while other listeners run', async () => {
  const before = process.listeners('SIGTERM')
  const signal = shutdownSignal()
  let others = 0
  process.on('SIGTERM', () => {
    others = process.listenerCount('SIGTERM') - before.length - 1
  })
  onTestFinished(() => {
    for (const listener of process.listeners('SIGTERM')) {
      if (!before.includes(listener)) process.off('SIGTERM', listener)
    }
  })
  process.emit('SIGTERM', 'SIGTERM')
  expect(await signal).toBe('SIGTERM')
  expect(others).toBe(1)
})

const unshare = ['--fork', '--pid', '--kill-child']
const noNamespaces = spawnSync('unshare', [...unshare, 'true']).status !== 0
test.skipIf(noNamespaces).each(['SIGINT', 'SIGTERM'] as const)(
  'verify ends at %s as process 1 of a container',
  async (signal) => {
    // This server never replies.
    const silent = createServer()
    const port = await listenOnFreePort(silent)
    const connected = new Promise((resolve) => silent.once('connection', resolve))
    const { ended, child } = startProcess('unshare', [
      ...unshare,
      process.execPath,
      bin,
      'verify',
      `http://127.0.0.1:${port}`,
    ])
    await connected
    const [pid] = spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).stdout.split('\n')
    process.kill(Number(pid), signal)
    await ended
    expect(child.exitCode).toBe(signal === 'SIGINT' ? 130 : 143)
  },
)
