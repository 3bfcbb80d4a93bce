import { afterAll, beforeAll, expect, test } from 'vitest'
import { cases } from '../../src/conformance/cases/cases.js'
import type { Target } from '../../src/conformance/runner/target.js'
import { startDevServer } from '../http-suite/start-dev-server.js'
import { type Behaviour, jsonOf, withJson } from './broken-server-proxy.js'
import type { Project } from './broken-servers/broken-server.js'
import { firstFailure } from './run-broken.js'

// What stands before a service without faults is not blamed on it.

let target: Target
beforeAll(async () => {
  target = await startDevServer()
})
afterAll(() => target?.close())

const titled = (pattern: RegExp) =>
  cases.filter(({ title, mode }) => mode !== 'production' && pattern.test(title))

test('proxies may add headers and cookies that differ from response to response', async () => {
  let count = 0
  const chosen = titled(/gets? the same response|^The response to|may read nothing/)
  expect(chosen.length).toBeGreaterThan(15)
  const failure = await firstFailure(target, chosen, async (request, send) => {
    const response = await send(request)
    const id = `${++count}`
    const added = {
      'x-envoy-upstream-service-time': id,
      'x-cache-hits': id,
      'x-timer': `S${id},VS0,VE1`,
      'report-to': `{"endpoints":[{"url":"https://a.example/${id}"}]}`,
      'set-cookie': `balancer=${id}; Expires=Thu, 01 Jan 2099 00:00:${id.slice(-2).padStart(2, '0')} GMT; Path=/`,
    }
    return { ...response, headers: { ...added, ...response.headers } }
  })
  expect(failure).toBeUndefined()
})

/** Every second project is created by a node whose clock is a little behind. */
function withTwoClocks(): Behaviour {
  const behind = new Map<string, string>()
  let count = 0
  const timed = (project: Project) => ({ ...project, createdAt: behind.get(project.id) ?? project.createdAt })
  const keyOf = ({ createdAt, id }: Project) => `${createdAt} ${id}`
  return async (request, send) => {
    const response = await send(request)
    const { project, projects, ...others } = Object(jsonOf(response)) as {
      project?: Project
      projects?: Project[]
    }
    if (response.status === 201 && project && ++count % 2)
      behind.set(project.id, new Date(Date.parse(project.createdAt) - 20_000).toISOString())
    if (project) return withJson(response, { project: timed(project) })
    // The bundle has no times: it is not asked for.
    if (!projects?.[0]?.createdAt) return response
    const sorted = projects.map(timed).sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1))
    return withJson(response, { ...others, projects: sorted })
  }
}

test('the clocks of nodes may differ a little, so that the projects of one are older', async () => {
  const chosen = titled(/only look alike|Concurrent creations of two teams|old name of a renamed/)
  expect(chosen.length).toBe(3)
  expect(await firstFailure(target, chosen, withTwoClocks())).toBeUndefined()
})

test.each([
  ['seconds', /\.\d+Z$/],
  ['no zeros at the end of milliseconds', /\.?0+Z$/],
])('times of the interface may have another form: %s', async (_, cut) => {
  const timed = (project: Project) => ({ ...project, createdAt: project.createdAt.replace(cut, 'Z') })
  const failure = await firstFailure(
    { ...target, interfaceOnly: true },
    titled(/only look alike|Concurrent creations of two teams|old name of a renamed/),
    async (request, send) => {
      const response = await send(request)
      const { project, projects, ...others } = Object(jsonOf(response)) as {
        project?: Project
        projects?: Project[]
      }
      if (project) return withJson(response, { project: timed(project) })
      if (!projects?.[0]?.createdAt) return response
      return withJson(response, { ...others, projects: projects.map(timed) })
    },
  )
  expect(failure).toBeUndefined()
})
