import { expect, onTestFinished, test } from 'vitest'
import { shutdownSignal } from '../../src/cli/signals.js'

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
