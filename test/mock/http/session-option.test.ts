import { describe, expect, it, onTestFinished } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { startDevServer } from '../../../src/mock/http/dev-server.js'
import { parseState } from '../../../src/store/state-file.js'

async function start(session?: string) {
  const { url, mock, close } = await startDevServer({ fixtures: parseState(demo), port: 0, session })
  onTestFinished(close)
  const send = (path: string, cookie?: string, init?: RequestInit) =>
    fetch(url + path, { ...init, redirect: 'manual', headers: { ...(cookie && { cookie }) } })
  return {
    controls: mock.controls,
    async me(cookie?: string) {
      const response = await send('/v1/auth/me', cookie)
      return response.ok ? (await response.json()).user.email : response.status
    },
    /** Signs in or out as a browser does, and returns its cookie. */
    async cookieAfter(path: string, init?: RequestInit) {
      const response = await send(path, undefined, { method: 'POST', ...init })
      const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
      // A browser deletes a cookie that is set without a value.
      return cookies.filter((cookie) => !cookie.endsWith('=')).join('; ')
    },
  }
}

describe('a dev server that starts with `session`', () => {
  it('has signed in every client without a cookie that it knows', async () => {
    const { me } = await start('acme-viewer')
    expect(await me()).toBe('vera@acme.example')
    expect(await me('theme=dark')).toBe('vera@acme.example')
    expect(await me('session=of-another-service')).toBe('vera@acme.example')
    expect(await me('session=globex-owner')).toBe('gus@globex.example')
  })

  it('signs a client out that asks for it, and in again', async () => {
    const { me, cookieAfter } = await start('acme-viewer')
    const signedOut = await cookieAfter('/auth/sign-out')
    expect(await me(signedOut)).toBe(401)
    const body = new URLSearchParams({ session: 'acme-member' })
    expect(await me(await cookieAfter('/auth/sign-in', { body }))).toBe('max@acme.example')
  })

  it('signs clients in again, as the initial persona, with a reset', async () => {
    const { me, cookieAfter, controls } = await start('acme-viewer')
    const signedOut = await cookieAfter('/auth/sign-out')
    const member = await cookieAfter('/auth/sign-in', {
      body: new URLSearchParams({ session: 'acme-member' }),
    })
    await controls.reset()
    expect([await me(signedOut), await me(member)]).toEqual(['vera@acme.example', 'vera@acme.example'])
  })

  it('lets `session use` change who that is', async () => {
    const { me, controls } = await start('acme-viewer')
    await controls.sessions.use('acme-owner')
    expect(await me()).toBe('ada@acme.example')
    await controls.reset()
    expect(await me()).toBe('vera@acme.example')
  })
})

describe('a dev server that starts without `session`', () => {
  it('has signed in nobody, and deletes the cookie of a client that signs out', async () => {
    const { me, cookieAfter } = await start()
    expect(await me()).toBe(401)
    expect(await me('session=of-another-service')).toBe(401)
    expect(await cookieAfter('/auth/sign-out')).toBe('')
  })

  it('does not sign a client in that signed out of another server, or of a test, before a `session use`', async () => {
    const { me, controls } = await start()
    await controls.sessions.use('acme-owner')
    expect(await me('mock-sign-in=~1')).toBe(401)
  })
})

describe('a browser that signs in on the sign-in page', () => {
  it('is that persona, beside other browsers, until the next `session use`', async () => {
    const { me, cookieAfter, controls } = await start()
    const signIn = (session: string) =>
      cookieAfter('/auth/sign-in', { body: new URLSearchParams({ session }) })
    const [viewer, member] = [await signIn('acme-viewer'), await signIn('acme-member')]
    expect([await me(viewer), await me(member)]).toEqual(['vera@acme.example', 'max@acme.example'])
    await controls.sessions.use('globex-owner')
    expect([await me(viewer), await me(member)]).toEqual(['gus@globex.example', 'gus@globex.example'])
    expect(await me(await signIn('acme-viewer'))).toBe('vera@acme.example')
  })

  it('is logged by the name of its persona', async () => {
    const { me, cookieAfter, controls } = await start()
    await me(await cookieAfter('/auth/sign-in', { body: new URLSearchParams({ session: 'acme-viewer' }) }))
    const [entry] = (await controls.log.read()).slice(-1)
    expect(entry).toMatchObject({ session: 'acme-viewer' })
    expect(entry?.curl).toMatch(/ -b session=acme-viewer$/)
  })
})
