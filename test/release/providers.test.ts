import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OAuth2Server } from 'oauth2-mock-server'
import { expect, it, onTestFinished } from 'vitest'
import { sessionSecret, start } from '../cli/cli-process.js'
import { createBrowser } from '../oidc/browser.js'

// docs/sign-in.md lists the providers that were tried manually. The tests of sign-in use `oidc-provider`.

async function serve(issuer: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-api-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const database = join(folder, 'dashboard.db')
  const { until } = start(['serve', '--port', '0', '--database', database, '--json', '--provision-teams'], {
    env: {
      DASHBOARD_API_SESSION_SECRET: sessionSecret,
      DASHBOARD_API_OIDC_ISSUER: issuer,
      DASHBOARD_API_OIDC_CLIENT_ID: 'dash-board_1.2~*',
      DASHBOARD_API_OIDC_CLIENT_SECRET: 'se-cret_.~*',
    },
  })
  const [line] = await until('stdout', /^.*"event":"listening".*$/m)
  return JSON.parse(line).url
}

it('signs in and out with oauth2-mock-server', async () => {
  const provider = new OAuth2Server()
  await provider.issuer.keys.generate('RS256')
  await provider.start(0, 'localhost')
  onTestFinished(() => provider.stop())
  provider.service.on('beforeTokenSigning', ({ payload }) => {
    Object.assign(payload, {
      email: ' Ada@Acme.example',
      org_code: 'org_new',
      permissions: 'create:projects',
    })
  })
  const url = await serve(String(provider.issuer.url))
  const browser = createBrowser()
  const { response } = await browser.follow(`${url}/auth/sign-in?returnTo=/v1/auth/me`)
  expect(await response.json()).toMatchObject({
    user: { email: 'ada@acme.example' },
    organization: { orgCode: 'org_new' },
    permissions: ['create:projects'],
  })
  const headers = { accept: 'text/html', origin: url }
  const signOut = await browser.request(`${url}/auth/sign-out`, { method: 'POST', headers })
  const signedOut = await browser.follow(
    signOut.headers.get('location') ?? '',
    ({ origin }) => origin === url,
  )
  expect(signedOut.url.pathname).toBe('/auth/signed-out')
  expect((await browser.request(`${url}/v1/auth/me`)).status).toBe(401)
})
