import { expect, it } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { createMockApi } from '../../../src/mock/core/mock-api.js'
import { type BoxContext, suggest } from '../../../src/mock/http/command-box.js'
import { parseState } from '../../../src/store/state-file.js'

async function contextOf(more: Partial<BoxContext> = {}): Promise<BoxContext> {
  const { controls } = createMockApi({ fixtures: parseState(demo), baseUrl: 'http://mock.test' })
  return {
    targets: await controls.targets.list(),
    personas: (await controls.sessions.list()).sessions,
    entries: await controls.log.read(),
    scenarios: [],
    named: (await controls.scenarios.possible()).named,
    snapshots: ['before-demo'],
    records: [{ kind: 'projects', key: 'p2', name: 'Mobile app' }],
    history: { undo: 'createProject' },
    ...more,
  }
}

it.each([
  ['409 create once', 'mock scenario set createProject PROJECT_NAME_TAKEN --times 1'],
  ['create 409', 'mock scenario set createProject PROJECT_NAME_TAKEN --times 1'],
  ['409 create until cleared', 'mock scenario set createProject PROJECT_NAME_TAKEN'],
  ['name_taken create 3 times', 'mock scenario set createProject PROJECT_NAME_TAKEN --times 3'],
  [
    '503 list for viewer',
    'mock scenario set listProjects SERVICE_UNAVAILABLE --times 1 --session acme-viewer',
  ],
  [
    'scenario set createProject 409 --times 2',
    'mock scenario set createProject PROJECT_NAME_TAKEN --times 2',
  ],
  ['drop session', 'mock scenario set getSession drop --times 1'],
  ['be viewer', 'session use acme-viewer'],
  ['session use globex', 'session use globex-owner'],
  ['delay 300 list', 'mock delay set 300 listProjects'],
  ['delay 200-800', 'mock delay set 200-800'],
  ['delay off', 'mock delay clear'],
  ['chaos 10 create', 'mock chaos set createProject --error-rate 0.1'],
  ['clock 2026-01-01', 'mock clock set 2026-01-01T00:00:00Z'],
  ['empty', 'mock scenario set empty'],
  ['clear', 'mock scenario clear'],
  ['npx dashboard-api mock delay set 300', 'mock delay set 300'],
  ['undo', 'undo'],
  ['reset', 'reset'],
  ['rename mobile to Tablet app', "mock project set p2 --name 'Tablet app'"],
  ['save now', 'mock snapshot save now'],
  ['load before', 'mock snapshot load before-demo'],
])('understands %s', async (text, command) => {
  expect(suggest(text, await contextOf())[0]?.command).toBe(command)
})

it('offers nothing for what it does not understand', async () => {
  expect(suggest('nothing is called this', await contextOf())).toEqual([])
  expect(suggest('409 nothing', await contextOf())).toEqual([])
})

it('is about the selected request where no operation is named', async () => {
  const selected = { id: 3, method: 'PATCH', path: '/v1/projects/p2', target: 'updateProject', status: 200 }
  const context = await contextOf({ selected: selected as never, entries: [selected as never] })
  expect(suggest('409', context)[0]?.command).toBe(
    'mock scenario set updateProject PROJECT_NAME_TAKEN --times 1',
  )
  expect(suggest('send as viewer', context)[0]?.command).toBe('mock log send 3 --session acme-viewer')
  expect(suggest('before 3', context)[0]?.command).toBe('mock log rewind 3')
  expect(suggest('', context).length).toBeGreaterThan(4)
})
