import { getResponse } from 'msw'
import { expect, it } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { createMockApi } from '../../../src/mock/core/mock-api.js'
import { createMemoryStore } from '../../../src/store/memory/memory-store.js'
import { parseState } from '../../../src/store/state-file.js'

const fixtures = parseState(demo)

it('a list has the same version until its team changes, in the same store alone', async () => {
  const store = createMemoryStore(fixtures)
  const [team = '', other = ''] = new Set(fixtures.projects.map(({ teamId }) => teamId))
  const versionOf = async (teamId: string) => (await store.listProjects(teamId)).version
  const [ofTeam, ofOther] = [await versionOf(team), await versionOf(other)]
  expect(await versionOf(team)).toBe(ofTeam)
  expect((await createMemoryStore(fixtures).listProjects(team)).version).not.toBe(ofTeam)

  const [project] = (await store.listProjects(team)).projects
  await store.updateProject(team, project?.id ?? '', { status: 'paused' })
  expect(await versionOf(team)).not.toBe(ofTeam)
  expect(await versionOf(other)).toBe(ofOther)
})

it('a list that was sent before shows every change, however it was made', async () => {
  const { handlers, controls } = createMockApi({ fixtures, baseUrl: 'http://mock.test' })
  const list = async (session = 'acme-owner') => {
    const headers = { cookie: `session=${session}` }
    const response = await getResponse(handlers, new Request('http://mock.test/v1/projects', { headers }))
    const { projects }: { projects: { name: string }[] } = JSON.parse((await response?.text()) ?? '')
    return projects.map(({ name }) => name)
  }
  const initial = await list()
  expect(await list()).toEqual(initial)
  expect(await list('globex-owner')).not.toEqual(initial)

  await controls.data.add('projects', { name: 'Added' })
  expect(await list()).toEqual(['Added', ...initial])
  await controls.undo()
  expect(await list()).toEqual(initial)
  await controls.scenarios.set({ target: 'empty' })
  expect(await list()).toEqual([])
  await controls.scenarios.clear()
  expect(await list()).toEqual(initial)
  await controls.state.load({ ...fixtures, projects: [] })
  expect(await list()).toEqual([])
})
