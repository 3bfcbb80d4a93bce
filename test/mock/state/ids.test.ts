import { expect, it } from 'vitest'
import { createIds } from '../../../src/mock/state/ids.js'
import { createRandom } from '../../../src/mock/state/random.js'

it('makes new ids even if a state has ids of an earlier run with the same seed', () => {
  const start = (isTaken: (id: string) => boolean) => createIds(() => new Date(0), createRandom(7), isTaken)
  const earlier = start(() => false)
  const taken = new Set(Array.from({ length: 20_000 }, earlier.next))
  expect(start((id) => taken.has(id)).next()).toBe(earlier.next())
})
