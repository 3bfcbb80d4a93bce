import { expect, onTestFinished, test, vi } from 'vitest'
import { endBySignal } from '../../src/store/end-by-signal.js'

test('ends process 1 of a container, too, which ignores signals without a listener', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const listeners = process.rawListeners('SIGTERM') as (() => void)[]
  process.removeAllListeners('SIGTERM')
  onTestFinished(() => {
    vi.restoreAllMocks()
    process.removeAllListeners('SIGTERM')
    for (const listener of listeners) process.on('SIGTERM', listener)
  })
  endBySignal('SIGTERM')
  expect(kill).toHaveBeenCalledWith(process.pid, 'SIGTERM')
  expect(exit).toHaveBeenCalledWith(143)
  // Another listener ends it in its own way.
  process.on('SIGTERM', () => {})
  endBySignal('SIGTERM')
  expect(exit).toHaveBeenCalledTimes(1)
})
