import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { CaseRequest, Mode, Persona } from '../../src/conformance/cases/case.js'
import { cases } from '../../src/conformance/cases/cases.js'
import { personas, testProjectNames } from '../../src/conformance/cases/test-data.js'
import { requestsOf } from '../../src/conformance/runner/needs.js'
import type { Target } from '../../src/conformance/runner/target.js'
import { verify } from '../../src/conformance/runner/verify-service.js'
import { isEmailAddress } from '../../src/contract/email.js'
import { type Stored, startDevServer } from '../http-suite/start-dev-server.js'
import { startOver, startProduction } from '../http-suite/start-production.js'
import { restorableSqlite } from '../store/sqlite/restorable-sqlite.js'
import { jsonOf } from './broken-server-proxy.js'
import { failures, of, options } from './reports.js'

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
    const report = await verify(
      { ...options, url: target.baseUrl, cookies: cookies() },
      {
        onResult: ({ exchanges }) => requests.push(...exchanges.map(({ request }) => request)),
      },
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

  test('reports no violation with --write, and frees the names that it has used', async () => {
    const report = await verify({ ...options, url: target.baseUrl, cookies: cookies(), write: true })
    expect(failures(report)).toEqual([])
    expect(of(report, 'passed').length).toBeGreaterThan(300)
    const response = await fetch(`${target.baseUrl}/v1/projects`, {
      headers: { cookie: target.cookieOf('acme-owner') },
    })
    const { projects } = (await response.json()) as { projects: { id: string; name: string }[] }
    const names = projects.map(({ name }) => name).filter((name) => !name.startsWith('verify '))
    expect(names.sort()).toEqual([...testProjectNames['acme-owner']].sort())

    // The report lists what stays.
    expect(of(report, 'skipped')).toEqual([])
    const { leftBehind } = report
    const left = leftBehind.projects.filter(({ caller }) => caller === 'owner').map(({ id }) => id)
    const isNew = ({ id }: { id: string }) => !target.data.projects('acme-owner').some((old) => old.id === id)
    expect(left.length).toBeGreaterThan(80)
    expect(left).toEqual(projects.filter(isNew).map(({ id }) => id))
    // Null cannot be set again, in either team.
    const notRestored = expect.stringMatching(/^description of the project \S+ is ".+", and was null$/)
    expect(leftBehind.changes).toEqual([notRestored, notRestored])
    const seeded = ['grace@example.com', 'linus@example.org']
    const joined = (await target.stored()).waitlist.map(({ email }) => email)
    expect(new Set(joined)).toEqual(new Set([...seeded, ...leftBehind.addresses]))
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
    const report = await verify({ ...options, url: targets[mode].baseUrl, cookies, groups: [] })
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
    ['production', 'mock', 'A name that can be guessed is no session'],
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

test('every address that a case sends to the waitlist is under a domain reserved for examples', () => {
  const sent = cases.flatMap(requestsOf).filter(({ path }) => path === '/v1/waitlist')
  const addresses = sent.map(({ json, bytes }): string | undefined => {
    const { email } = Object(json ?? jsonOf({ text: `${bytes}` }))
    return typeof email === 'string' ? email.trim().toLowerCase() : undefined
  })
  const isReserved = /@(([\w-]+\.)*example(\.(com|org|net))?|[^@]+\.(example|invalid|test)\.?)$/
  const others = addresses.filter((address) => address?.includes('@') && !isReserved.test(address))
  // These are no addresses: they are refused.
  expect(others.filter((address) => isEmailAddress(address ?? ''))).toEqual([])
  expect(addresses.filter((address) => address && isReserved.test(address)).length).toBeGreaterThan(20)
})

test('a run sends fewer sign-ups than a client may in a minute by default, so that it need not wait', () => {
  const isSignUp = ({ method, path }: CaseRequest) => method === 'POST' && /^\/v1\/waitlist(\?|$)/.test(path)
  expect(cases.flatMap(requestsOf).filter(isSignUp).length).toBeLessThan(100)
})

test('a service may name its session cookie __Host-session', async () => {
  const target = await startOver(await restorableSqlite(), { sessionCookie: '__Host-session' })
  onTestFinished(target.close)
  const cookies = new Map(personas.map((persona) => [persona, target.cookieOf(persona)]))
  const given = { ...options, url: target.baseUrl, cookies, write: true }
  await expect(verify(given)).rejects.toMatchObject({ hint: expect.stringContaining('--host-cookie') })
  const report = await verify({ ...given, hasHostCookie: true })
  expect(failures(report)).toEqual([])
  expect(of(report, 'skipped')).toEqual([])
  expect(of(report, 'passed').length).toBeGreaterThan(300)
})
