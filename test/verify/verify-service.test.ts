import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { personas, testProjectNames } from '../../src/verify/cases/test-data.js'
import { DeploymentError } from '../../src/verify/runner/discover.js'
import { junit } from '../../src/verify/runner/junit.js'
import { rawRequest } from '../../src/verify/runner/raw-request.js'
import type { Target } from '../../src/verify/runner/target.js'
import { type Report, verify } from '../../src/verify/runner/verify-service.js'
import { startDevServer } from '../http-suite/start-dev-server.js'
import { startProduction } from '../http-suite/start-production.js'

const options = { cookies: new Map(), write: false, interfaceOnly: false }
const of = ({ results }: Report, outcome: string) => results.filter((one) => one.outcome === outcome)
const faults = (report: Report) => of(report, 'violated').map(({ says, faults }) => ({ says, faults }))

describe.each([
  ['the dev server', startDevServer],
  ['production', startProduction],
])('verify, of %s', (name, start) => {
  let target: Target
  beforeAll(async () => {
    target = await start()
  })
  afterAll(() => target?.close())
  const given = () =>
    name === 'production' ? new Map(personas.map((one) => [one, target.cookieOf(one)])) : new Map()

  test('finds nothing wrong while it only reads, and changes nothing', async () => {
    const asked: string[] = []
    const report = await verify({ ...options, url: target.baseUrl, cookies: given() }, ({ exchanges }) =>
      asked.push(...exchanges.map((one) => one.asked)),
    )
    expect(faults(report)).toEqual([])
    expect(of(report, 'kept').length).toBeGreaterThan(80)
    expect(asked.filter((one) => !/^(GET|HEAD) /.test(one))).toEqual([])
  })

  test('skips with a reason what needs a session that it was not given', async () => {
    const cookies = new Map([['acme-owner', target.cookieOf('acme-owner')]] as const)
    const report = await verify({ ...options, url: target.baseUrl, cookies })
    expect(faults(report)).toEqual([])
    expect(of(report, 'skipped').map(({ reason }) => reason)).toContain('no cookie of acme-viewer was given')
  })

  test('finds nothing wrong in what changes something, and frees the names that it has used', {
    timeout: 120_000,
  }, async () => {
    const report = await verify({ ...options, url: target.baseUrl, cookies: given(), write: true })
    expect(faults(report)).toEqual([])
    expect(of(report, 'kept').length).toBeGreaterThan(450)
    const response = await fetch(`${target.baseUrl}/v1/projects`, {
      headers: { cookie: target.cookieOf('acme-owner') },
    })
    const { projects } = (await response.json()) as { projects: { name: string }[] }
    const names = projects.map(({ name }) => name).filter((name) => !name.startsWith('verify '))
    expect(names.sort()).toEqual([...testProjectNames.own].sort())
  })
})

describe('verify, of a service that is not as it should be', () => {
  const wrong = (change: (body: string, path: string) => string) => startAltered(change)

  test.each([
    ['projects in another order', (body: string) => reversed(body), '4.2 list projects, newest first'],
    [
      'a field too many',
      (body: string) => body.replaceAll('"teamId"', '"owner":1,"teamId"'),
      '5 the session cookie',
    ],
    [
      'another code',
      (body: string) => body.replace('AUTH_REQUIRED', 'AUTH_MISSING'),
      'callers: no valid session',
    ],
  ])('says what is wrong: %s', async (_, change, point) => {
    const altered = await wrong(change)
    try {
      const report = await verify({ ...options, url: altered.url })
      expect(of(report, 'violated').map(({ proves }) => proves)).toContain(point)
      expect(faults(report).every(({ faults }) => faults.length > 0)).toBe(true)
      expect(junit(report)).toContain(`failures="${of(report, 'violated').length}"`)
    } finally {
      await altered.close()
    }
  })

  test('asks for no header of our own where the interface alone counts', async () => {
    // Neither cache-control nor a charset, which the interface does not speak of.
    const altered = await startAltered((body) => body, { 'content-type': 'application/json' })
    try {
      expect(faults(await verify({ ...options, url: altered.url })).length).toBeGreaterThan(0)
      const report = await verify({ ...options, url: altered.url, interfaceOnly: true })
      expect(faults(report)).toEqual([])
      expect(of(report, 'kept').length).toBeGreaterThan(10)
      expect(report.results.map(({ source }) => source)).not.toContain('decision')
    } finally {
      await altered.close()
    }
  })

  test('refuses to write in a team that was not made for it', async () => {
    const altered = await wrong((body) => body.replace('Mobile app', 'Payroll'))
    try {
      await expect(verify({ ...options, url: altered.url, write: true })).rejects.toThrow(/"Payroll"/)
    } finally {
      await altered.close()
    }
  })

  test('says that nobody answers', async () => {
    await expect(verify({ ...options, url: 'http://127.0.0.1:1' })).rejects.toThrow(DeploymentError)
  })
})

/** The mock behind a proxy that changes its answers. */
async function startAltered(
  change: (body: string, path: string) => string,
  headers?: Record<string, string>,
) {
  const mock = await startDevServer()
  const server = createServer(async (incoming, outgoing) => {
    const { url = '/', method } = incoming
    const { cookie } = incoming.headers
    const answer = await rawRequest({
      method: method ?? 'GET',
      url: mock.baseUrl + url,
      path: url,
      headers: cookie === undefined ? [] : [['cookie', cookie]],
      chunked: false,
    })
    outgoing.writeHead(
      answer.status,
      headers ?? { 'content-type': answer.headers['content-type'] ?? '', 'cache-control': 'no-store' },
    )
    outgoing.end(change(answer.text, url))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await mock.close()
    },
  }
}

function reversed(body: string): string {
  if (!body.startsWith('{"projects"')) return body
  const { projects } = JSON.parse(body)
  return JSON.stringify({ projects: projects.reverse() })
}
