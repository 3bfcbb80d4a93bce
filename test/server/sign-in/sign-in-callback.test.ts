import { describe, expect, it } from 'vitest'
import { createBrowser } from '../../oidc/browser.js'
import { callbackOf } from '../../oidc/sign-in-flow.js'
import { minute } from '../server-harness.js'
import { open, prepareProvider, provider, service } from './provider-for-tests.js'

prepareProvider()

describe('the callback of a sign-in', () => {
  const refused = async (browser: ReturnType<typeof createBrowser>, callback: string, reason: string) => {
    const before = await service.store.listSessions()
    const response = await browser.request(callback)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    // The page has no reason: the log has it.
    expect(await response.text()).toContain(
      '<h1>You are not signed in</h1>\n<p>The sign-in was not finished.</p>\n<p><a',
    )
    expect(response.headers.getSetCookie().filter((header) => header.startsWith('session='))).toEqual([])
    expect(await service.store.listSessions()).toEqual(before)
    expect(service.lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 40, fault: 'unfinished', reason }),
    )
  }
  const notBegun = 'the browser sent no valid cookie of this sign-in'

  it('refuses a browser that did not begin this sign-in, even if it began another one', async () => {
    await open(provider)
    const back = await callbackOf('ada', service, provider, { browser: createBrowser() })
    const victim = createBrowser()
    await refused(victim, back.href, notBegun)
    await victim.request(`${service.url}/auth/sign-in`)
    await refused(victim, back.href, notBegun)
  })

  it('signs in each of several tabs that began at the same time, with one session at the end', async () => {
    await open(provider)
    const browser = createBrowser()
    const begun = await browser.request(`${service.url}/auth/sign-in?returnTo=/first`)
    const second = await callbackOf('ada', service, provider, { browser, returnTo: '/second' })
    expect((await browser.request(second.href)).headers.get('location')).toBe('/second')
    const atProvider = begun.headers.get('location') ?? ''
    const first = await browser.follow(atProvider, (next) => next.origin === service.url)
    expect((await browser.request(first.url.href)).headers.get('location')).toBe('/first')
    expect((await browser.request(`${service.url}/v1/projects`)).status).toBe(200)
    const sessions = (await service.store.listSessions()).filter(({ id }) => id.startsWith('ses_'))
    expect(sessions.map(({ revokedAt }) => revokedAt !== undefined)).toEqual([true, false])
  })

  it('forgets the oldest of many sign-ins, whose cookies would exceed the limit of headers', async () => {
    await open(provider)
    const browser = createBrowser()
    const begin = () => browser.request(`${service.url}/auth/sign-in?returnTo=/${'x'.repeat(1999)}`)
    await begin()
    const [first] = browser.attempt(service.url)
    for (let i = 0; i < 10; i += 1) await begin()
    expect(browser.attempt(service.url)[0]).not.toBe(first)
    expect((await browser.request(`${service.url}/v1/projects`)).status).toBe(401)
  })

  it('is not refused because of a cookie that a page of a sibling domain added', async () => {
    await open(provider)
    const browser = createBrowser()
    const back = await callbackOf('ada', service, provider, { browser })
    for (const name of ['sign-in', 'sign-in-', 'sign-in-other']) browser.setCookie(service.url, name, 'x')
    expect((await browser.request(back.href)).status).toBe(303)
  })

  it('is refused after ten minutes', async () => {
    await open(provider)
    const browser = createBrowser()
    const back = await callbackOf('ada', service, provider, { browser })
    service.clock.advance(10 * minute)
    await refused(browser, back.href, 'it took too long')
  })

  it('refuses a changed state, or a session as the state', async () => {
    await open(provider)
    const browser = createBrowser()
    const back = await callbackOf('ada', service, provider, { browser })
    // The name of the cookie has the first 16 characters of the state.
    await refused(browser, back.href.replace(/state=[^&]+/, '$&x'), notBegun)
    const [name, attempt] = browser.attempt(service.url)
    const { value } = await service.signIn()
    for (const forged of [`${attempt.slice(0, -3)}AAA`, attempt.replace('sign-in.', 'session.'), value, '']) {
      browser.setCookie(service.url, name, forged)
      await refused(browser, back.href, notBegun)
    }
  })

  it('is refused the second time', async () => {
    await open(provider)
    const browser = createBrowser()
    const back = await callbackOf('ada', service, provider, { browser })
    const [name, attempt] = browser.attempt(service.url)
    expect((await browser.request(back.href)).status).toBe(303)
    await refused(browser, back.href, notBegun)
    browser.setCookie(service.url, name, attempt)
    await refused(browser, back.href, 'invalid_grant')
  })

  it('shows a page if the provider denied access', async () => {
    await open(provider)
    const browser = createBrowser()
    const back = await callbackOf('', service, provider, { browser })
    await refused(browser, back.href, 'access_denied')
  })
})
