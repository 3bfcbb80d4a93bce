import { expect, onTestFinished, test, vi } from 'vitest'
import { savedState } from '../../src/mock/saved-state.js'
import { emptyState } from '../../src/store/state-file.js'

test('a page without access to storage has no saved state, and a warning', () => {
  onTestFinished(() => void vi.unstubAllGlobals().restoreAllMocks())
  const denied = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: denied, setItem: denied })
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const saved = savedState('')
  expect(saved.read()).toBeUndefined()
  saved.write(emptyState())
  expect(warn.mock.calls.flat()).toEqual([
    expect.stringMatching(/the fixtures are loaded instead\. The operation is insecure/),
    expect.stringMatching(/could not be saved .* The operation is insecure/),
  ])
})
