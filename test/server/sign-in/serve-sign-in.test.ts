import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sessionSecret, start } from '../../cli/cli-process.js'
import { startRealProvider } from '../../oidc/real-provider.js'
import { signInAs } from '../../oidc/sign-in-flow.js'

async function serve(env: Record<string, string> = {}, ...flags: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-api-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const database = join(folder, 'dashboard.db')
  const running = start(['serve', '--port', '0', '--database', database, '--json', ...flags], {
    env: { DASHBOARD_API_SESSION_SECRET: sessionSecret, ...env },
  })
  const [line] = await running.until('stdout', /^.*"event":"listening".*$/m)
  const { url, metricsUrl }: { url: string; metricsUrl: string } = JSON.parse(line)
  return { ...running, url, metricsUrl }
}

test('serve without a provider prints that only issued sessions can be used', async () => {
  const { until, url } = await serve()
  await until('stderr', /sessions can only be issued on the command line/)
  expect((await fetch(`${url}/auth/sign-in`)).status).toBe(501)
})

test('serve starts while the provider is down, signs in when it is up, and creates the team', async () => {
  const provider = await startRealProvider()
  onTestFinished(provider.close)
  const { until, url, metricsUrl, child, ended } = await serve(
    {
      DASHBOARD_API_OIDC_ISSUER: provider.issuer,
      DASHBOARD_API_OIDC_CLIENT_ID: provider.clientId,
      DASHBOARD_API_OIDC_CLIENT_SECRET: provider.clientSecret,
      DASHBOARD_API_DEFAULT_PERMISSIONS: 'create:projects',
      DASHBOARD_API_METRICS_ADDRESS: '0',
    },
    '--provision-teams',
  )
  await until('stderr', /Users sign in at http:\S+; its callback URL is http:\S+\/auth\/callback,/)
  await until('stderr', /its back-channel logout URL http:\S+\/auth\/back-channel-logout\n/)
  expect((await fetch(`${url}/auth/sign-in`, { redirect: 'manual' })).status).toBe(503)

  await provider.register(url)
  provider.accounts.ada = { email: 'ada@id.example', org_code: 'org_new' }
  const { browser, response } = await signInAs('ada', { url }, provider)
  const bundle = await response.json()
  expect(bundle).toMatchObject({ user: { email: 'ada@id.example' }, permissions: ['create:projects'] })
  expect(bundle.teamId).not.toBe('')
  const created = await browser.request(`${url}/v1/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Roadmap"}',
  })
  expect(created.status).toBe(201)

  const metrics = (await (await fetch(metricsUrl)).text()).split('\n')
  expect(metrics).toContain('dashboard_api_sign_ins_total{outcome="success",reason=""} 1')
  expect(metrics).toContain('dashboard_api_sign_ins_total{outcome="failure",reason="unreachable"} 1')
  expect((await browser.request(`${url}/auth/sign-out`, { method: 'POST' })).status).toBe(204)
  expect(await (await fetch(metricsUrl)).text()).toContain('dashboard_api_sign_outs_total 1\n')

  child.kill('SIGTERM')
  const { code, stdout, stderr } = await ended
  expect(code).toBe(0)
  const session = browser.cookie(url, 'session') ?? 'none'
  for (const canary of [provider.clientSecret, sessionSecret, session, 'ada@', 'org_new', 'Roadmap']) {
    expect(stdout + stderr).not.toContain(canary)
  }
})
