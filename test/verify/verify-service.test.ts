import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import fixture from '../../fixtures/demo.json' with { type: 'json' }
import { isEmailAddress } from '../../src/contract/email.js'
import { startDevServer as start } from '../../src/mock/http/dev-server.js'
import { parseState } from '../../src/store/state-file.js'
import type { Mode, Persona } from '../../src/verify/cases/case.js'
import { cases } from '../../src/verify/cases/cases.js'
import { personas, testProjectNames } from '../../src/verify/cases/test-data.js'
import { DeploymentError } from '../../src/verify/runner/discover.js'
import { joinedAddress } from '../../src/verify/runner/joined-address.js'
import { junit } from '../../src/verify/runner/junit.js'
import { requestsOf } from '../../src/verify/runner/needs.js'
import type { Target } from '../../src/verify/runner/target.js'
import { type Report, verify } from '../../src/verify/runner/verify-service.js'
import { type Stored, startDevServer } from '../http-suite/start-dev-server.js'
import { startProduction } from '../http-suite/start-production.js'
import { type Behaviour, jsonOf, proxyTransport, withJson } from './broken-server-proxy.js'

const options = { cookies: new Map(), write: false, interfaceOnly: false }
const of = ({ results }: Report, outcome: string) => results.filter((result) => result.outcome === outcome)
const failures = (report: Report) => of(report, 'failed').map(({ title, failures }) => ({ title, failures }))

describe.each([
  ['the dev server', startDevServer],
  ['production', startProduction],
])('verify against %s', (name, start) => {
  let target: Target & Stored
  beforeAll(async () => {
    target = await start()
  })
  afterAll(() => target?.close())
  const cookies = () =>
    name === 'production'
      ? new Map(personas.map((persona) => [persona, target.cookieOf(persona)]))
      : new Map()

  test('reports no violation without --write, and sends only GET and HEAD', async () => {
    const requests: string[] = []
    const report = await verify({ ...options, url: target.baseUrl, cookies: cookies() }, ({ exchanges }) =>
      requests.push(...exchanges.map(({ request }) => request)),
    )
    expect(failures(report)).toEqual([])
    expect(of(report, 'passed').length).toBeGreaterThan(80)
    expect(requests.filter((request) => !/^(GET|HEAD) /.test(request))).toEqual([])
  })

  test('skips cases that need a missing cookie, with a reason', async () => {
    const cookies = new Map([['acme-owner', target.cookieOf('acme-owner')]] as const)
    const report = await verify({ ...options, url: target.baseUrl, cookies })
    expect(failures(report)).toEqual([])
    expect(of(report, 'skipped').map(({ reason }) => reason)).toContain('no cookie of viewer was given')
  })

  test('reports no violation with --write, and frees the names that it has used', {
    timeout: 120_000,
  }, async () => {
    const report = await verify({ ...options, url: target.baseUrl, cookies: cookies(), write: true })
    expect(failures(report)).toEqual([])
    expect(of(report, 'passed').length).toBeGreaterThan(450)
    const response = await fetch(`${target.baseUrl}/v1/projects`, {
      headers: { cookie: target.cookieOf('acme-owner') },
    })
    const { projects } = (await response.json()) as { projects: { id: string; name: string }[] }
    const names = projects.map(({ name }) => name).filter((name) => !name.startsWith('verify '))
    expect(names.sort()).toEqual([...testProjectNames.own].sort())

    // The report lists what stays.
    const { leftBehind } = report
    const left = leftBehind.projects.filter(({ caller }) => caller === 'owner').map(({ id }) => id)
    const isNew = ({ id }: { id: string }) => !target.data.projects('acme-owner').some((old) => old.id === id)
    expect(left.length).toBeGreaterThan(80)
    expect(left).toEqual(projects.filter(isNew).map(({ id }) => id))
    expect(leftBehind.changes).toEqual([
      expect.stringMatching(/^description of the project \S+ is ".+", and was null$/),
    ])
    const seeded = ['grace@example.com', 'linus@example.org']
    const joined = (await target.stored()).waitlist.map(({ email }) => email)
    expect(new Set(joined)).toEqual(new Set([...seeded, ...leftBehind.addresses]))
    const { note } = report.results.find(({ title }) => title.startsWith('Two concurrent')) ?? {}
    expect(note).toMatch(/^(both creations succeeded|one creation succeeded, .*)$/)
  })
})

const failedOnce = (report: Report, title: string) =>
  of(report, 'failed').find((result) => result.title === title)?.failures

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
    transport: proxyTransport(mock, behave),
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
          text: response.text.replace(/"docsUrl":"[^"]*docs/, '"docsUrl":"http://127.0.0.1:1'),
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
          transport: proxyTransport(empty.target, async (request, send) => {
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

  test('goes on if names cannot be freed, and says so', async () => {
    const report = await verify({
      ...behind(async (request, send) => {
        const response = await send(request)
        const isRename =
          request.method === 'PATCH' && String(Object(jsonOf(request)).name).startsWith('verify ')
        return isRename ? withJson({ ...response, status: 503 }, {}) : response
      }),
      write: true,
      cases: cases.filter(({ title }) => /^A new project/.test(title)),
    })
    expect(failedOnce(report, 'The names that cases have used become free')?.[0]).toMatch(
      /^PATCH \/v1\/projects\/\S+ as owner returned 503/,
    )
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
        cases: cases.filter(({ title }) => title.startsWith('An update of')),
        signal: abort.signal,
      },
      ({ title }) => {
        if (title.startsWith('An update of status')) abort.abort()
      },
    )
    expect(report.results.map(({ title }) => title)).not.toContain('An update of name and description')
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

describe('the mode of a service', () => {
  let targets: Record<Mode, Target>
  beforeAll(async () => {
    targets = { mock: await startDevServer(), production: await startProduction() }
  })
  afterAll(() => Promise.all(Object.values(targets ?? {}).map((target) => target.close())))

  const owner = (target: Target) => new Map([['acme-owner', target.cookieOf('acme-owner')]] as const)
  const modeOf = async (mode: Mode, cookies: ReadonlyMap<Persona, string>) => {
    const report = await verify({ ...options, url: targets[mode].baseUrl, cookies, cases: [] })
    return `${report.mode}: ${report.modeReason}`
  }

  test('is detected, with the reason', async () => {
    const noCookies = new Map()
    expect(await modeOf('mock', noCookies)).toBe('mock: the session bundle of owner has devMode')
    expect(await modeOf('mock', owner(targets.mock))).toBe('mock: the session bundle of owner has devMode')
    expect(await modeOf('production', owner(targets.production))).toBe(
      'production: no session bundle has devMode',
    )
    expect(await modeOf('production', noCookies)).toMatch(/^production: the name of no persona/)
  })

  test.each([
    ['production', 'mock', 'A production session cookie is not a name that can be guessed'],
    ['mock', 'production', 'The mock shows a page to choose a persona'],
  ] as const)(
    '%s is not that of a service in %s mode, with and without cookies',
    async (mode, actual, title) => {
      const target = targets[actual]
      for (const cookies of [new Map(), owner(target)]) {
        const report = await verify({ ...options, url: target.baseUrl, cookies, mode })
        expect(report).toMatchObject({ mode, modeReason: 'given with --mode' })
        expect(of(report, 'failed').map((result) => result.title)).toContain(title)
      }
      const report = await verify({ ...options, url: target.baseUrl, cookies: owner(target), mode })
      expect(
        failures(report)
          .flatMap(({ failures }) => failures)
          .join(),
      ).toContain(
        mode === 'production'
          ? 'the bundle has a devMode in production mode'
          : 'the bundle has no devMode in mock mode',
      )
    },
  )
})

describe('verify with teams that were made for it', () => {
  test('finds no fault with a team without projects', async () => {
    const { target, options: given } = await emptyTeams()
    try {
      const report = await verify({ ...options, ...given })
      expect(failures(report)).toEqual([])
      expect(of(report, 'passed').length).toBeGreaterThan(40)
    } finally {
      await target.close()
    }
  })

  test('writes to them alone', { timeout: 60_000 }, async () => {
    const { target, options: given, teams } = await emptyTeams()
    try {
      const before = await target.stored()
      const some = cases.filter(({ title }) =>
        /^(The list is newest first|owner: |other-owner: )/.test(title),
      )
      const report = await verify({ ...options, ...given, write: true, teams, cases: some })
      expect(failures(report)).toEqual([])
      expect(of(report, 'passed').length).toBeGreaterThan(4)
      const after = await target.stored()
      const others = ({ teamId }: { teamId: string }) => !teams.includes(teamId)
      expect(after.projects.filter(others)).toEqual(before.projects)
      expect(after.projects.length).toBeGreaterThan(before.projects.length)
    } finally {
      await target.close()
    }
  })

  test('refuses another team, and two owners of one team', async () => {
    const { target, options: given } = await emptyTeams()
    try {
      await expect(verify({ ...options, ...given, write: true, teams: ['team-other'] })).rejects.toThrow(
        'owner is in the team team-verify-1, which --team does not name.',
      )
      const cookie = given.cookies.get('acme-owner') ?? ''
      const cookies = new Map([
        ['acme-owner', cookie],
        ['globex-owner', cookie],
      ] as const)
      const report = await verify({ ...options, ...given, cookies, write: true })
      expect(failedOnce(report, 'The teams are prepared for the cases that write')).toEqual([
        'the bundles of owner and other-owner have the same team, team-verify-1',
      ])
    } finally {
      await target.close()
    }
  })
})

test('every address that a case sends to the waitlist is under a domain reserved for examples', () => {
  const sent = cases.flatMap(requestsOf).filter(({ path }) => path === '/v1/waitlist')
  const addresses = sent.map((request) =>
    joinedAddress(request, { status: 200, headers: {}, text: '', json: {} }),
  )
  const isReserved = /@(([\w-]+\.)*example\.(com|org|net)|[\w.-]+\.(example|invalid|test))$/
  const others = addresses.filter((address) => address?.includes('@') && !isReserved.test(address))
  // These are no addresses: they are refused.
  expect(others.filter((address) => isEmailAddress(address ?? ''))).toEqual([])
  expect(addresses.filter((address) => address && isReserved.test(address)).length).toBeGreaterThan(20)
})

/** The mock with two more teams, without projects, and the cookies of an owner of each. */
async function emptyTeams() {
  const state = parseState(fixture)
  const teams = ['team-verify-1', 'team-verify-2']
  const permissions = ['create:projects', 'update:projects']
  const server = await start({
    port: 0,
    fixtures: {
      ...state,
      teams: [...state.teams, ...teams.map((id) => ({ id, name: id, orgCode: `org-${id}` }))],
      sessions: [
        ...state.sessions,
        ...teams.map((id) => ({
          id: `owner-${id}`,
          userId: 'user-ada',
          orgCode: `org-${id}`,
          permissions,
          role: 'owner',
        })),
      ],
    },
  })
  return {
    target: { baseUrl: server.url, stored: () => server.mock.export(), close: server.close },
    options: {
      url: server.url,
      cookies: new Map<Persona, string>([
        ['acme-owner', 'session=owner-team-verify-1'],
        ['globex-owner', 'session=owner-team-verify-2'],
      ]),
    },
    teams,
  }
}
