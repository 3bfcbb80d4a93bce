import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callerNames } from '../../src/conformance/callers.js'
import { junit } from '../../src/conformance/junit.js'
import { sections } from '../../src/conformance/sections.js'
import { DeploymentError, type Report, verify } from '../../src/conformance/verify.js'
import { restorableSqlite } from '../store/sqlite/restorable-sqlite.js'
import { type StartedTarget, startDevServer } from './start-dev-server.js'
import { startOver, startProduction } from './start-production.js'

const of = ({ results }: Report, outcome: string) => results.filter((result) => result.outcome === outcome)
const failures = (report: Report) => of(report, 'failed').map(({ title, failure }) => `${title}: ${failure}`)
const teams = ['team-acme', 'team-globex']
const section = (name: string) => sections.filter((each) => each.name.startsWith(name))

let mock: StartedTarget
let production: StartedTarget
beforeAll(async () => {
  ;[mock, production] = await Promise.all([startDevServer(), startProduction()])
})
afterAll(() => Promise.all([mock?.close(), production?.close()]))

const cookiesOf = (target: StartedTarget) => new Map(callerNames.map((as) => [as, target.cookieOf(as)]))

describe.each([
  { name: 'the mock', target: () => mock, options: () => ({ cookies: new Map() }) },
  {
    name: 'production',
    target: () => production,
    options: () => ({ cookies: cookiesOf(production), teams }),
  },
])('verify against $name', ({ target, options }) => {
  test('without --write sends only GET and HEAD, and finds no fault', async () => {
    const report = await verify({ url: target().baseUrl, cookies: options().cookies })
    expect(failures(report)).toEqual([])
    expect(of(report, 'passed').length).toBeGreaterThan(30)
    const sent = report.results.flatMap(({ exchanges }) => exchanges.map(({ request }) => request))
    expect(sent.filter((request) => !/^(GET|HEAD) /.test(request))).toEqual([])
    expect(report.leftBehind).toEqual({ projects: [], addresses: [] })
  })

  test('with --write runs every case, changes only records that it has created, and lists those that stay', async () => {
    const before = await target().stored()
    const report = await verify({ url: target().baseUrl, ...options(), write: true })
    expect(failures(report)).toEqual([])
    expect(of(report, 'skipped')).toEqual([])
    const after = await target().stored()
    const created = new Set(report.leftBehind.projects.map(({ id }) => id))
    expect(after.projects.filter(({ id }) => !created.has(id))).toEqual(before.projects)
    expect(after.projects.length).toBe(before.projects.length + created.size)
    const joined = after.waitlist.map(({ email }) => email)
    expect(new Set(joined)).toEqual(
      new Set([...before.waitlist.map(({ email }) => email), ...report.leftBehind.addresses]),
    )
    // Addresses have domains that are reserved for examples.
    const isReserved = /@(([\w-]+\.)*example(\.(com|org|net))?|[^@]+\.example)$/
    expect(report.leftBehind.addresses.length).toBeGreaterThan(8)
    expect(report.leftBehind.addresses.filter((address) => !isReserved.test(address))).toEqual([])
    // Fewer than the default rate limit of a minute, so that a run need not wait.
    const sent = report.results.flatMap(({ exchanges }) => exchanges.map(({ request }) => request))
    expect(sent.filter((request) => request.startsWith('POST /v1/waitlist')).length).toBeLessThan(100)
  })
})

test('cases that need a caller who was not given are skipped, with the reason', async () => {
  const cookies = new Map([['owner', mock.cookieOf('owner')]] as const)
  const report = await verify({ url: mock.baseUrl, cookies })
  expect(failures(report)).toEqual([])
  expect(of(report, 'skipped').map(({ reason }) => reason)).toContain('no cookie of viewer was given')
})

describe('the mode of a service', () => {
  const modeOf = async (target: StartedTarget, cookies: Map<'owner', string>) => {
    const { mode, modeReason } = await verify({ url: target.baseUrl, cookies, sections: [] })
    return `${mode}: ${modeReason}`
  }
  const owner = (target: StartedTarget) => new Map([['owner', target.cookieOf('owner')]] as const)

  test('is detected, with the reason', async () => {
    expect(await modeOf(mock, new Map())).toBe('mock: the session bundle of owner has devMode')
    expect(await modeOf(mock, owner(mock))).toBe('mock: the session bundle of owner has devMode')
    expect(await modeOf(production, owner(production))).toBe('production: no session bundle has devMode')
    expect(await modeOf(production, new Map())).toMatch(/^production: the name of no persona/)
  })

  test.each([
    ['production', () => mock, 'the bundle has a devMode in production mode'],
    ['mock', () => production, 'the bundle has no devMode in mock mode'],
  ] as const)('%s fails against the other', async (mode, target, failure) => {
    const report = await verify({ url: target().baseUrl, cookies: owner(target()), mode })
    expect(report.modeReason).toBe('given with --mode')
    expect(failures(report).join()).toContain(failure)
  })
})

describe('verify does not start', () => {
  test.each([
    [
      'with a cookie that opens no session',
      { cookies: new Map([['owner', 'session=x']] as const) },
      'opens no session',
    ],
    ['to write to teams that are not named', { mode: 'production', write: true }, 'not named'],
    ['to write to another team', { write: true, teams: ['team-other'] }, 'owner is in the team team-acme'],
    ['without a service', { url: 'http://127.0.0.1:1' }, 'failed: connect ECONNREFUSED'],
  ] as const)('%s', async (_, options, message) => {
    const started = verify({ url: mock.baseUrl, cookies: new Map(), ...options })
    await expect(started).rejects.toThrow(DeploymentError)
    await expect(started).rejects.toThrow(message)
  })
})

test('a failure shows the actual and the expected value, also in JUnit, but never a session', async () => {
  const report = await verify({ url: production.baseUrl, cookies: cookiesOf(mock), mode: 'mock' }).catch(
    () => undefined,
  )
  expect(report).toBeUndefined()
  const failing = await verify({
    url: production.baseUrl,
    cookies: cookiesOf(production),
    teams,
    write: true,
    sections: [
      {
        name: 'one',
        cases: [
          {
            title: 'A session may be anywhere',
            requirement: '5 the session cookie',
            write: true,
            async play({ send, cookieOf, newProject }) {
              const session = cookieOf('owner').replace('session=', '')
              await send({ method: 'POST', path: '/v1/projects', json: { name: session } })
              await newProject({ name: session, description: 'x' }, 'viewer')
            },
          },
        ],
      },
    ],
  })
  const [{ failure = '' } = {}] = of(failing, 'failed')
  expect(failure).toContain('POST /v1/projects as viewer with "{\\"name\\":\\"…')
  expect(failure).toContain('status 403, expected 201')
  expect(JSON.stringify(failing)).not.toContain(production.cookieOf('owner').replace('session=', ''))
  expect(junit(failing)).toContain('failures="1"')
})

test('a run ends before the next case when it is aborted', async () => {
  const abort = new AbortController()
  const report = await verify({
    url: mock.baseUrl,
    cookies: new Map(),
    signal: abort.signal,
    onSection: () => abort.abort(),
  })
  expect(report.results.map(({ requirement }) => requirement)).not.toContain('9 paths carry /v1/')
})

test('with --interface-only no case of a decision runs, and no header beyond the interface is required', async () => {
  const plain: Server = createServer(async (request, response) => {
    const { cookie = '' } = request.headers
    const { status, headers, text } = await mock.send({
      method: request.method ?? '',
      url: mock.baseUrl + request.url,
      path: request.url ?? '',
      headers: [['cookie', cookie]],
      chunked: false,
      raw: false,
    })
    response.writeHead(status, { 'content-type': headers['content-type']?.split(';')[0] })
    response.end(text)
  })
  await new Promise<void>((listening) => plain.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void plain.close())
  const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`
  expect(failures(await verify({ url, cookies: new Map() })).length).toBeGreaterThan(0)
  const report = await verify({ url, cookies: new Map(), interfaceOnly: true })
  expect(failures(report)).toEqual([])
  expect(of(report, 'passed').length).toBeGreaterThan(8)
  expect(report.results.map(({ source }) => source)).not.toContain('decision')
})

test('a service may name its session cookie __Host-session', async () => {
  const target = await startOver(await restorableSqlite(), { sessionCookie: '__Host-session' })
  onTestFinished(target.close)
  const given = { url: target.baseUrl, cookies: cookiesOf(target), write: true, teams }
  await expect(verify(given)).rejects.toMatchObject({ hint: expect.stringContaining('--host-cookie') })
  const some = [...section('cookies'), ...section('callers'), ...section('sign-in')]
  const report = await verify({ ...given, hasHostCookie: true, sections: some })
  expect(failures(report)).toEqual([])
  expect(of(report, 'skipped')).toEqual([])
})
