import { expect, test } from 'vitest'
import { fullState } from '../store-suite/records.js'
import { testStore } from '../store-suite.js'
import { createMemoryStore } from './full-memory-store.js'

testStore('memory', async () => createMemoryStore())

test('starts with the given state, and shares no records with other stores', async () => {
  const [one, other] = [createMemoryStore(fullState), createMemoryStore(fullState)]
  await one.updateProject('acme', 'p2', { name: 'Renamed' })
  await one.revokeSession('viewer', '2026-03-01T12:00:00.000Z')
  expect(await other.export()).toStrictEqual(fullState)
})
