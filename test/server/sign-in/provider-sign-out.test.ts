import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { startRealProvider } from '../../oidc/real-provider.js'
import { confirmSignOut, signInAs } from '../../oidc/sign-in-flow.js'
import { fromPage, open, prepareProvider, provider, service } from './provider-for-tests.js'

prepareProvider()

describe('sign-out with an identity provider', () => {
  it('ends the session here, then at the provider, and returns to the requested page', async () => {
    await open(provider)
    const { browser } = await signInAs('ada', service, provider)
    const session = browser.cookie(service.url, 'session')
    const response = await browser.request(
      `${service.url}/auth/sign-out?returnTo=/docs/errors/not-found`,
      fromPage,
    )
    expect(response.status).toBe(303)
    expect(browser.cookie(service.url, 'session')).toBeUndefined()
    const ended = await fetch(`${service.url}/v1/projects`, { headers: { cookie: `session=${session}` } })
    expect(ended.status).toBe(401)

    const { searchParams } = new URL(response.headers.get('location') ?? '')
    const hint = decodeJwt(searchParams.get('id_token_hint') ?? '')
    expect(hint).toMatchObject({ iss: provider.issuer, sub: 'ada' })
    // Only sign-out receives the hint, and only once.
    expect(browser.cookie(service.url, 'id-token')).toBeUndefined()

    const confirmed = await confirmSignOut(browser, response.headers.get('location') ?? '')
    const end = await browser.follow(confirmed.headers.get('location') ?? '')
    expect(end.url.href).toBe(`${service.url}/docs/errors/not-found`)
    const again = await browser.follow(`${service.url}/auth/sign-in`)
    expect(again.url.pathname).toMatch(/^\/interaction\//)
  })

  it('sends a script the URL of the provider instead of a redirect', async () => {
    await open(provider)
    const { browser } = await signInAs('ada', service, provider)
    const response = await browser.request(`${service.url}/auth/sign-out`, { method: 'POST' })
    expect(response.status).toBe(204)
    expect(response.headers.has('location')).toBe(false)
    expect(response.headers.get('x-sign-out-url')).toMatch(`${provider.issuer}/session/end?`)
    expect((await browser.request(`${service.url}/v1/projects`)).status).toBe(401)
  })

  it('does not return from the provider to other sites', async () => {
    await open(provider)
    const response = await fetch(`${service.url}/auth/signed-out?state=//evil.example`, {
      redirect: 'manual',
    })
    expect(response.headers.get('location')).toBe('/')
  })

  it('ends the session here while the provider is down', async () => {
    const down = await startRealProvider()
    await open(down)
    await down.close()
    const { cookie } = await service.signIn()
    const headers = { ...fromPage.headers, cookie }
    const url = `${service.url}/auth/sign-out?returnTo=/bye`
    const response = await fetch(url, { ...fromPage, headers, redirect: 'manual' })
    expect(response.headers.get('location')).toBe('/bye')
    expect((await fetch(`${service.url}/v1/projects`, { headers })).status).toBe(401)
  })
})
