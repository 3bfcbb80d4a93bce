import { expect, it } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { createMockApi } from '../../../src/mock/mock-api.js'
import { parseState } from '../../../src/store/state-file.js'

it('a sentence begins with a capital letter, unless with a name', async () => {
  const { run } = createMockApi({ fixtures: parseState(demo), baseUrl: 'http://mock.test' }).controls
  const done = async (...call: Parameters<typeof run>) => (await run(...call)).step?.done
  expect(await done('addRecord', { kind: 'projects', record: { name: 'roadmap' } })).toBe(
    'roadmap was created.',
  )
  expect(await done('useSession', { id: 'acme-viewer' })).toBe('You became acme-viewer.')
  expect(await done('setDelay', { ms: 300 })).toBe('The delay was set to 300 ms.')
  const ofList = (ms: number | null) => done('setDelay', { ms, target: 'listProjects' })
  expect(await ofList(0)).toBe('The delay of listProjects was set to 0 ms.')
  expect(await ofList(null)).toBe('The delay of listProjects was removed.')
  expect(await done('setScenario', { target: 'duplicate-names' })).toMatch(/^duplicate-names was started/)
  expect(await done('clearScenarios', {})).toBe('All that was forced was cleared.')
  expect(await done('reset')).toBe('Everything was reset.')
})
