import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { knownVersion } from '../../src/store/sqlite/schema-version.js'
import { emptyFolder, run, sessionSecret } from '../cli/cli-process.js'
import { openSqliteStore } from '../store/open-stores.js'
import { createClient, type FailedRequest, seededDatabase, serve } from './serving.js'

/** Clients with a kept-alive connection each: every second one creates projects and the others read, until one fails. */
async function startLoad(url: string, cookie: string, clients: number, minResponses: number) {
  const acknowledged: string[] = []
  let responses = 0
  const ends = Array.from({ length: clients }, async (_, c): Promise<FailedRequest> => {
    const client = createClient(url, cookie)
    onTestFinished(client.end)
    for (let i = 0; ; i += 1) {
      const name = `project-${c}-${i}`
      const response = c % 2 ? await client.create(name) : await client.call('GET', '/v1/auth/me')
      if ('error' in response) return response
      responses += 1
      if (response.status === 201) acknowledged.push(name)
    }
  })
  await expect.poll(() => responses).toBeGreaterThan(minResponses)
  return { acknowledged, ended: Promise.all(ends) }
}

async function projectsIn(file: string): Promise<string[]> {
  const store = await openSqliteStore(file)
  const projects = (await store.listProjects('team-acme')).projects
  await store.close()
  return projects.map(({ name }) => name)
}

describe('serve, under load,', () => {
  test('loses no acknowledged write when it is killed', async () => {
    const file = join(emptyFolder(), 'live.db')
    const { cookie } = await seededDatabase(file)
    const { url, child, ended } = await serve(file)
    const load = await startLoad(url, cookie, 8, 100)
    child.kill('SIGKILL')
    await Promise.all([ended, load.ended])
    expect(await projectsIn(file)).toEqual(expect.arrayContaining(load.acknowledged))

    const again = await serve(file)
    const client = createClient(again.url, cookie)
    onTestFinished(client.end)
    expect(await client.create('after the crash')).toMatchObject({ status: 201 })
  })
})

test('serve is not ready while it drains, and accepts requests during the drain delay', async () => {
  const file = join(emptyFolder(), 'live.db')
  const { cookie } = await seededDatabase(file)
  const { url, child, until, ended } = await serve(file, { DASHBOARD_API_DRAIN_DELAY: '4s' })
  const client = createClient(url, cookie)
  onTestFinished(client.end)
  await expect.poll(client.ready).toMatchObject({ status: 200 })
  child.kill('SIGTERM')
  await until('stderr', /SIGTERM/)
  expect(await client.ready()).toMatchObject({ status: 503, body: { reason: 'draining' } })
  expect(await client.create('late')).toMatchObject({ status: 201 })
  expect((await ended).code).toBe(0)
})

test('serve has the metrics on a separate port', async () => {
  const file = join(emptyFolder(), 'live.db')
  const running = await serve(file, { DASHBOARD_API_METRICS_ADDRESS: '0' })
  const [line] = await running.until('stdout', /^.*\n/)
  const { url, metricsUrl } = JSON.parse(line)
  const response = await fetch(metricsUrl)
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  const text = await response.text()
  expect(text).toContain('dashboard_api_store_waiting_writes 0')
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  const [, labels] = /^dashboard_api_build_info\{(.*)\} 1$/m.exec(text) ?? []
  const [, commit] = (await run(['--version'])).stdout.split(/\ncommit: |\nschema: /)
  expect(labels).toBe(`version="${version}",commit="${commit}",schema="${knownVersion}"`)
  expect((await fetch(`${url}/metrics`)).status).toBe(404)
  expect((await fetch(new URL('/v1/projects', metricsUrl))).status).toBe(404)
})

test('serve exits with 1 and names the port if the port of the metrics is taken', async () => {
  const file = join(emptyFolder(), 'live.db')
  const first = await serve(file, { DASHBOARD_API_METRICS_ADDRESS: '0' })
  const [line] = await first.until('stdout', /^.*\n/)
  const { port } = new URL(JSON.parse(line).metricsUrl)
  const second = await run(['serve', '--port', '0', '--database', file], {
    env: { DASHBOARD_API_SESSION_SECRET: sessionSecret, DASHBOARD_API_METRICS_ADDRESS: port },
  })
  expect([second.code, second.stderr]).toEqual([
    1,
    expect.stringContaining(`Port ${port} of 127.0.0.1 is taken`),
  ])
})
