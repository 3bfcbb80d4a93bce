import { getResponse } from 'msw'
import { expect, it } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { createMockApi } from '../../../src/mock/mock-api.js'
import { parseState } from '../../../src/store/state-file.js'

const fixtures = parseState(demo)

it('a list that was cached shows every later change, however it was made', async () => {
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
