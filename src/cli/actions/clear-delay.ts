import type { OperationName } from '../../contract/operations.js'
import type { Delay } from '../../mock/core/delays.js'
import { type MockAt, mockAt } from './mock.js'

/** Takes back the delay of one operation; without one, of all, those of single operations included. */
export async function clearDelay(at: MockAt, operation?: OperationName): Promise<Delay> {
  const call = mockAt(at)
  if (operation !== undefined) return call('setDelay', { ms: null, operation })
  const { operations } = await call('delay')
  for (const name of Object.keys(operations)) await call('setDelay', { ms: null, operation: name })
  return call('setDelay', { ms: null })
}
