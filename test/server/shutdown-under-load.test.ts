import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { knownVersion } from '../../src/store/sqlite/schema-version.js'
import { emptyFolder, run, sessionSecret } from '../cli/cli-process.js'
import { seededDatabase, serve } from './serving.js'

// The drills (npm run drills) test that no acknowledged write is lost, whether serve is killed or stopped.

test('serve is not ready while it drains, and accepts requests during the drain delay', async () => {
  const file = join(emptyFolder(), 'live.db')
  const { cookie } = await seededDatabase(file)
  const { url, child, until, ended } = await serve(file, { DASHBOARD_API_DRAIN_DELAY: '4s' })
  const ready = () => fetch(`${url}/readyz`)
  await expect.poll(async () => (await ready()).status).toBe(200)
  child.kill('SIGTERM')
  await until('stderr', /SIGTERM/)
  const draining = await ready()
  expect([draining.status, await draining.json()]).toEqual([
    503,
    { status: 'unavailable', reason: 'draining' },
  ])
  const headers = { cookie, 'content-type': 'application/json' }
  const late = await fetch(`${url}/v1/projects`, { method: 'POST', headers, body: '{"name":"late"}' })
  expect(late.status).toBe(201)
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
  // The start itself writes.
  const metrics = async () => (await fetch(metricsUrl)).text()
  await expect.poll(metrics).toContain('dashboard_api_store_waiting_writes 0')
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
