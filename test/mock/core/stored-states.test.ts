import { expect, test } from 'vitest'
import { addedTo, storedState, wholeState } from '../../../src/mock/core/state-changes.js'
import { emptyState, type State } from '../../../src/store/state-file.js'

const project = (id: string, name: string) => ({
  id,
  name,
  description: null,
  status: 'active',
  teamId: 'team-acme',
  createdAt: '2026-03-01T12:00:00.000Z',
})

/** The change of one project, by its number: it is added, renamed, removed or added again, behind all others. */
function change({ projects }: State, i: number) {
  const key = `p${i % 700}`
  const before = projects.find(({ id }) => id === key)
  const isRemoved = before && i % 3 === 0
  return {
    kind: 'projects' as const,
    key,
    ...(before && { before }),
    ...(!isRemoved && { after: project(key, `${i}`) }),
  }
}

test('each of thousands of states stays what it was, and one can go on from any of them', () => {
  let plain = emptyState()
  let stored = storedState(plain)
  const states = [{ plain, stored }]
  const apply = (i: number) => {
    const made = change(plain, i)
    const { before, after } = made
    const others = plain.projects.flatMap((each) => (each === before ? (after ?? []) : each))
    plain = { ...plain, projects: before || !after ? others : [...others, after] }
    stored = addedTo(stored, [made])
    states.push({ plain, stored })
  }
  for (let i = 0; i < 2_500; i += 1) apply(i)
  const earlier = states[1_234] as (typeof states)[0]
  plain = earlier.plain
  stored = earlier.stored
  for (let i = 0; i < 100; i += 1) apply(i)
  for (const [i, state] of states.entries()) {
    if (i % 50 === 0 || i > 2_490) expect(wholeState(state.stored)).toEqual(state.plain)
  }
  // Few of them are whole ones.
  expect(new Set(states.map(({ stored }) => stored.base)).size).toBeLessThan(6)
})
