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
const of = ({ results }: Report, outcome: string) => results.filter((result) => result.outcome === outcome)
const faults = (report: Report) => of(report, 'violated').map(({ says, faults }) => ({ says, faults }))

describe.each([
  ['the dev server', startDevServer],
  ['production', startProduction],
])('verify against %s', (name, start) => {
  let target: Target
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
      requests.push(...exchanges.map(({ asked }) => asked)),
    )
    expect(faults(report)).toEqual([])
    expect(of(report, 'kept').length).toBeGreaterThan(80)
    expect(requests.filter((request) => !/^(GET|HEAD) /.test(request))).toEqual([])
  })

  test('skips cases that need a missing cookie, with a reason', async () => {
    const cookies = new Map([['acme-owner', target.cookieOf('acme-owner')]] as const)
    const report = await verify({ ...options, url: target.baseUrl, cookies })
    expect(faults(report)).toEqual([])
    expect(of(report, 'skipped').map(({ reason }) => reason)).toContain('no cookie of acme-viewer was given')
  })

  test('reports no violation with --write, and frees the names that it has used', {
    timeout: 120_000,
  }, async () => {
    const report = await verify({ ...options, url: target.baseUrl, cookies: cookies(), write: true })
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

describe('verify against a service with faults', () => {
  test.each([
    ['projects in another order', (body: string) => reversed(body), '4.2 list projects, newest first'],
    [
      'an additional field',
      (body: string) => body.replaceAll('"teamId"', '"owner":1,"teamId"'),
      '5 the session cookie',
    ],
    [
      'another code',
      (body: string) => body.replace('AUTH_REQUIRED', 'AUTH_MISSING'),
      'callers: no valid session',
    ],
  ])('reports the violated requirement: %s', async (_, change, requirement) => {
    const altered = await startAltered(change)
    try {
      const report = await verify({ ...options, url: altered.url })
      expect(of(report, 'violated').map(({ proves }) => proves)).toContain(requirement)
      expect(faults(report).every(({ faults }) => faults.length > 0)).toBe(true)
      expect(junit(report)).toContain(`failures="${of(report, 'violated').length}"`)
    } finally {
      await altered.close()
    }
  })

  test('requires no headers beyond the interface with interfaceOnly', async () => {
    // Neither cache-control nor a charset: the interface does not specify them.
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

  test('refuses to write to a team that has other projects', async () => {
    const altered = await startAltered((body) => body.replace('Mobile app', 'Payroll'))
    try {
      await expect(verify({ ...options, url: altered.url, write: true })).rejects.toThrow(/"Payroll"/)
    } finally {
      await altered.close()
    }
  })

  test('throws if the service cannot be reached', async () => {
    await expect(verify({ ...options, url: 'http://127.0.0.1:1' })).rejects.toThrow(DeploymentError)
  })
})

/** The mock behind a proxy that changes its responses. */
async function startAltered(
  change: (body: string, path: string) => string,
  headers?: Record<string, string>,
) {
  const mock = await startDevServer()
  const server = createServer(async (incoming, outgoing) => {
    const { url = '/', method } = incoming
    const { cookie } = incoming.headers
    const response = await rawRequest({
      method: method ?? 'GET',
      url: mock.baseUrl + url,
      path: url,
      headers: cookie === undefined ? [] : [['cookie', cookie]],
      chunked: false,
    })
    outgoing.writeHead(
      response.status,
      headers ?? { 'content-type': response.headers['content-type'] ?? '', 'cache-control': 'no-store' },
    )
    outgoing.end(change(response.text, url))
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
