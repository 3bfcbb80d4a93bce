import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cases } from '../../src/conformance/cases/cases.js'
import { DeploymentError } from '../../src/conformance/runner/discover.js'
import { junit } from '../../src/conformance/runner/junit.js'
import type { Target } from '../../src/conformance/runner/target.js'
import { verify } from '../../src/conformance/runner/verify-service.js'
import { startDevServer } from '../http-suite/start-dev-server.js'
import { type Behaviour, jsonOf, proxySend, withJson } from './broken-server-proxy.js'
import { emptyTeams } from './empty-teams.js'
import { failedOnce, failures, of, options } from './reports.js'

/** The cases whose titles match. */
const groupOf = (titles: RegExp) => [{ name: 'some', cases: cases.filter(({ title }) => titles.test(title)) }]

describe('verify against a service with faults', () => {
  let mock: Target
  beforeAll(async () => {
    mock = await startDevServer()
  })
  beforeEach(() => mock.reset())
  afterAll(() => mock?.close())

  /** Options for the mock behind a proxy. */
  const behind = (behave: Behaviour) => ({
    ...options,
    url: mock.baseUrl,
    send: proxySend(mock, behave),
  })

  test('reports the requirement and the failures, in JUnit too', async () => {
    const report = await verify(
      behind(async (request, send) => {
        const response = await send(request)
        return { ...response, text: response.text.replace('AUTH_REQUIRED', 'AUTH_MISSING') }
      }),
    )
    expect(of(report, 'failed').map(({ requirement }) => requirement)).toContain('callers: no valid session')
    expect(failures(report).every(({ failures }) => failures.length > 0)).toBe(true)
    expect(junit(report)).toContain(`failures="${of(report, 'failed').length}"`)
  })

  test('takes no body in which an object has a key twice', async () => {
    const twice = behind(async (request, send) => {
      const response = await send(request)
      delete response.headers['content-length']
      return {
        ...response,
        text: response.text.replace(/"projects":\[\{/, '$&"name" : "another \\"name\\"",'),
      }
    })
    const found = failures(await verify(twice)).flatMap(({ failures }) => failures)
    expect(found).toContainEqual(expect.stringContaining('the body is not JSON, or has a key twice'))
  })

  test('requires no headers beyond the interface with interfaceOnly', async () => {
    // Neither cache-control nor a charset: the interface does not specify them.
    const plain = behind(async (request, send) => ({
      ...(await send(request)),
      headers: { 'content-type': 'application/json' },
    }))
    expect(failures(await verify(plain)).length).toBeGreaterThan(0)
    const report = await verify({ ...plain, interfaceOnly: true })
    expect(failures(report)).toEqual([])
    expect(of(report, 'passed').length).toBeGreaterThan(10)
    expect(report.results.map(({ source }) => source)).not.toContain('decision')
  })

  test('reports pages of errors that cannot be reached once', async () => {
    const report = await verify(
      behind(async (request, send) => {
        const response = await send(request)
        // HEAD does not know the new length.
        delete response.headers['content-length']
        return {
          ...response,
          text: response.text.replace(/"docsUrl":"[^"]*docs/, '"docsUrl":"http://127.0.0.1:1/docs'),
        }
      }),
    )
    expect(failures(report)).toEqual([
      {
        title: 'The pages that errors link to open and are about their codes',
        failures: [expect.stringMatching(/^docsUrl cannot be reached at http:\/\/127.0.0.1:1: /)],
      },
    ])
  })

  test('refuses to write to a team that has other projects', async () => {
    const changed = behind(async (request, send) => {
      const response = await send(request)
      return { ...response, text: response.text.replace('Mobile app', 'Payroll') }
    })
    await expect(verify({ ...changed, write: true })).rejects.toThrow(
      'The team of owner has a project that this command did not create: "Payroll".',
    )
  })

  test.each([
    [500, 'POST /v1/projects as owner returned 500'],
    [403, 'POST /v1/projects as owner returned 403'],
  ])(
    'blames a service that answers every creation with %d, and runs what it can',
    async (status, failure) => {
      const empty = await emptyTeams()
      try {
        const report = await verify({
          ...options,
          ...empty.options,
          write: true,
          send: proxySend(empty.target, async (request, send) => {
            const response = await send(request)
            return request.method === 'POST' ? { ...response, status } : response
          }),
        })
        expect(failedOnce(report, 'The teams are prepared for the cases that write')).toEqual([
          expect.stringContaining(failure),
        ])
        expect(of(report, 'passed').length).toBeGreaterThan(20)
        expect(of(report, 'skipped').map(({ reason }) => reason)).toContain('the teams could not be prepared')
      } finally {
        await empty.target.close()
      }
    },
  )

  test('blames a service that gives data once and not again, and skips only before the first request', async () => {
    let isFirst = true
    const unread = behind(async (request, send) => {
      const isViewer = request.headers.some(([, value]) => value === mock.cookieOf('acme-viewer'))
      const response = await send(request)
      if (!isViewer || !isFirst || request.path !== '/v1/auth/me') return response
      isFirst = false
      return { ...response, status: 500 }
    })
    const viewer = { groups: groupOf(/^viewer: (list|bundle)/) }
    const report = await verify({ ...unread, ...viewer })
    expect(failedOnce(report, 'The callers and their projects can be read')).toEqual([
      expect.stringMatching(/^GET \/v1\/auth\/me as viewer returned 500: /),
    ])
    expect(failedOnce(report, 'viewer: list returns 200')).toEqual(['no session bundle of viewer is known'])

    const members = { groups: groupOf(/^The callers of one team|^viewer: list/) }
    const owner = new Map([['acme-owner', mock.cookieOf('acme-owner')]] as const)
    const skipped = of(await verify({ ...options, url: mock.baseUrl, cookies: owner, ...members }), 'skipped')
    expect(skipped.map(({ exchanges }) => exchanges)).toEqual([[], []])
  })

  test('goes on if names cannot be freed, and says so', async () => {
    const report = await verify({
      ...behind(async (request, send) => {
        const response = await send(request)
        const isRename =
          request.method === 'PATCH' && String(Object(jsonOf(request)).name).startsWith('verify ')
        return isRename ? withJson({ ...response, status: 503 }, {}) : response
      }),
      write: true,
      groups: groupOf(/^A new project/),
    })
    expect(failedOnce(report, 'The names that cases have used become free')?.[0]).toMatch(
      /^PATCH \/v1\/projects\/\S+ as owner returned 503/,
    )
  })

  test('says which body has led to a fault, and not the session that was in it', async () => {
    const report = await verify({
      ...behind(async (request, send) => ({
        ...(await send(request)),
        status: request.method === 'POST' ? 500 : 200,
      })),
      write: true,
      groups: groupOf(/a session in its body/),
    })
    const [failure = ''] = of(report, 'failed').flatMap(({ title, failures }) =>
      title.includes('a session in its body') ? failures : [],
    )
    expect(failure).toContain('POST /v1/projects with "{\\"name\\":\\"Fresh\\",\\"session\\":\\"{session}\\"')
  })

  test('does not learn a role from the service', async () => {
    const report = await verify(
      behind(async (request, send) => {
        const response = await send(request)
        const json = Object(jsonOf(response))
        return json.role === undefined ? response : withJson(response, { ...json, role: '' })
      }),
    )
    expect(of(report, 'failed').map(({ requirement }) => requirement)).toContain(
      '5.4 the mock branch is marked',
    )
  })

  test('ends before the next case when it is aborted, and restores what was changed', async () => {
    const abort = new AbortController()
    const report = await verify(
      {
        ...options,
        url: mock.baseUrl,
        write: true,
        groups: groupOf(/^An update of/),
        signal: abort.signal,
      },
      {
        onResult({ title }) {
          if (title.startsWith('An update of status')) abort.abort()
        },
      },
    )
    const ran = report.results.filter(({ title }) => title.startsWith('An update of name and'))
    expect(ran).toEqual([])
    expect(of(report, 'passed').length).toBeLessThan(8)
    const { data } = mock
    const response = await fetch(`${mock.baseUrl}/v1/projects`, {
      headers: { cookie: mock.cookieOf('acme-owner') },
    })
    const { projects } = (await response.json()) as { projects: { id: string; status: string }[] }
    expect(projects.find(({ id }) => id === data.ownProject.id)).toMatchObject({
      status: data.ownProject.status,
    })
  })

  test('throws if the service cannot be reached', async () => {
    await expect(verify({ ...options, url: 'http://127.0.0.1:1' })).rejects.toThrow(DeploymentError)
  })
})
