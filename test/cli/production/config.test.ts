import { expect, test } from 'vitest'
import { type Options, run, sessionSecret } from '../cli-process.js'

type Shown = { setting: string; variable: string; value?: string; from: string }

async function settings(args: string[], options: Options): Promise<Map<string, Shown>> {
  const { code, stdout } = await run(['config', '--json', ...args], options)
  expect(code).toBe(0)
  return new Map(JSON.parse(stdout).settings.map((row: Shown) => [row.setting, row]))
}

test('config shows the value and the source of each setting', async () => {
  const env = { DASHBOARD_API_HOST: '0.0.0.0', DASHBOARD_API_PORT: '9000', DASHBOARD_API_LOG_LEVEL: '' }
  const shown = await settings(['--port', '9001'], { env })
  expect(shown.get('port')).toMatchObject({ value: '9001', from: 'flag' })
  expect(shown.get('host')).toMatchObject({ value: '0.0.0.0', from: 'environment' })
  expect(shown.get('logLevel')).toMatchObject({ value: 'info', from: 'default' })
  expect(shown.get('publicUrl')).toEqual({
    setting: 'publicUrl',
    variable: 'DASHBOARD_API_PUBLIC_URL',
    from: 'unset',
  })
})

test('config shows the defaults of the preset of an identity provider', async () => {
  const shown = await settings([], { env: { DASHBOARD_API_OIDC_PRESET: 'kinde' } })
  expect(shown.get('oidcAccessClaims')).toMatchObject({ value: 'access-token', from: 'preset' })
})

test('config shows no secret, not even in an invalid setting', async () => {
  const secrets = [sessionSecret, 'the-oidc-client-secret', 'a-token-for-the-metrics', 'hunter2']
  const env = {
    DASHBOARD_API_SESSION_SECRET: sessionSecret,
    DASHBOARD_API_OIDC_CLIENT_SECRET: 'the-oidc-client-secret',
    DASHBOARD_API_METRICS_TOKEN: 'a-token-for-the-metrics',
    DASHBOARD_API_PUBLIC_URL: 'https://ada:hunter2@example.com',
  }
  for (const args of [[], ['--json']]) {
    const { stdout, stderr } = await run(['config', ...args], { env })
    for (const secret of secrets) expect(stdout + stderr).not.toContain(secret)
  }
  const shown = await settings([], { env })
  expect(shown.get('sessionSecret')).toMatchObject({ value: '(a secret)', from: 'environment' })
})

test('config --check accepts the settings that serve accepts', async () => {
  const { code, stdout, stderr } = await run(['config', '--check'], {
    env: { DASHBOARD_API_SESSION_SECRET: sessionSecret },
  })
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toContain('Every setting is valid')
})

test('config --check recommends a cookie that no sibling domain can set, where the service is reached over https', async () => {
  const check = (publicUrl: string, cookie = '') =>
    run(['config', '--check'], {
      env: {
        DASHBOARD_API_SESSION_SECRET: sessionSecret,
        DASHBOARD_API_PUBLIC_URL: publicUrl,
        DASHBOARD_API_SESSION_COOKIE: cookie,
      },
    })
  const { code, stderr } = await check('https://api.example.com')
  expect(code).toBe(0)
  expect(stderr).toContain('recommendation: Set DASHBOARD_API_SESSION_COOKIE=__Host-session')
  expect((await check('https://api.example.com', '__Host-session')).stderr).not.toContain('recommendation')
  expect((await check('http://127.0.0.1:8080')).stderr).not.toContain('recommendation')
})

test('config --check exits with 2 and every fault', async () => {
  const env = {
    DASHBOARD_API_PORT: '99999',
    DASHBOARD_API_METRICS_TOKEN: 'short',
    DASHBOARD_API_SESSION_TTL: 'soon',
  }
  const { code, stdout, stderr } = await run(['config', '--check', '--host', ' '], { env })
  expect([code, stdout]).toEqual([2, ''])
  for (const name of ['--host', 'PORT', 'METRICS_TOKEN', 'SESSION_TTL', 'SESSION_SECRET']) {
    expect(stderr).toContain(`${name}: expected`)
  }
  expect(stderr).not.toContain('short')
})

test('config --check recommends a public URL for a server on every address', async () => {
  const check = async (env: Record<string, string>) =>
    (await run(['config', '--check'], { env: { DASHBOARD_API_SESSION_SECRET: sessionSecret, ...env } }))
      .stderr
  for (const host of ['0.0.0.0', '::']) {
    expect(await check({ DASHBOARD_API_HOST: host })).toContain(
      'recommendation: Set DASHBOARD_API_PUBLIC_URL',
    )
    const known = { DASHBOARD_API_HOST: host, DASHBOARD_API_PUBLIC_URL: 'http://10.0.0.1:8080' }
    expect(await check(known)).not.toContain('recommendation')
  }
})
