import { expect, onTestFinished, test } from 'vitest'
import { shutdownSignal } from '../../src/cli/actions/shutdown.js'

// Ink restores the terminal at a signal, then ends the process by it unless somebody else listens.
test('the signal to end is still listened for while others are told of it', async () => {
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
