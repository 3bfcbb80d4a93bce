import { describe, expect, it, onTestFinished } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { startDevServer } from '../../../src/mock/http/dev-server.js'
import { parseState } from '../../../src/store/state-file.js'

async function start(session?: string) {
  const { url, mock, close } = await startDevServer({ fixtures: parseState(demo), port: 0, session })
  onTestFinished(close)
  const send = (path: string, cookie?: string, init?: RequestInit) =>
    fetch(url + path, { ...init, redirect: 'manual', headers: { ...(cookie && { cookie }) } })
  /** Signs in or out as a browser does, and returns its cookie. */
  const cookieAfter = async (path: string, body?: URLSearchParams) => {
    const response = await send(path, undefined, { method: 'POST', ...(body && { body }) })
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
    // A browser deletes a cookie that is set without a value.
    return cookies.filter((cookie) => !cookie.endsWith('=')).join('; ')
  }
  return {
    controls: mock.controls,
    async me(cookie?: string) {
      const response = await send('/v1/auth/me', cookie)
      return response.ok ? (await response.json()).user.email : response.status
    },
    sessions: async (cookie?: string) => (await send('/__dev/sessions', cookie)).json(),
    signIn: (session: string) => cookieAfter('/auth/sign-in', new URLSearchParams({ session })),
    signOut: () => cookieAfter('/auth/sign-out'),
  }
}

const [vera, max, ada, gus] = ['vera@acme', 'max@acme', 'ada@acme', 'gus@globex'].map(
  (name) => `${name}.example`,
)

describe('a dev server that starts with `session`', () => {
  it('signs in every client without a known cookie', async () => {
    const { me } = await start('acme-viewer')
    for (const cookie of [undefined, 'theme=dark', 'session=of-another-service'])
      expect(await me(cookie), cookie).toBe(vera)
    expect(await me('session=globex-owner')).toBe(gus)
  })

  it('signs a client out and in again; a reset signs in all of them as the initial persona', async () => {
    const { me, signIn, signOut, controls } = await start('acme-viewer')
    const [signedOut, member] = [await signOut(), await signIn('acme-member')]
    expect([await me(signedOut), await me(member)]).toEqual([401, max])
    await controls.sessions.use('acme-owner')
    expect(await me()).toBe(ada)
    await controls.reset()
    expect([await me(), await me(signedOut), await me(member)]).toEqual([vera, vera, vera])
  })
})

describe('a dev server that starts without `session`', () => {
  it('signs in no client, and deletes the cookie of a client that signs out', async () => {
    const { me, signOut, controls } = await start()
    expect(await me()).toBe(401)
    expect(await me('theme=dark')).toBe(401)
    expect(await me('session=of-another-service')).toBe(401)
    expect(await signOut()).toBe('')
    // The cookie is of another server, or of a test.
    await controls.sessions.use('acme-owner')
    expect(await me('mock-sign-in=~1')).toBe(401)
  })
})

describe('a browser that signs in on the sign-in page', () => {
  it('is that persona, independently of other browsers, until the next `session use`; the log has its name', async () => {
    const { me, signIn, controls } = await start()
    const [viewer, member] = [await signIn('acme-viewer'), await signIn('acme-member')]
    expect([await me(member), await me(viewer)]).toEqual([max, vera])
    const entry = (await controls.log.read()).at(-1)
    expect(entry).toMatchObject({ session: 'acme-viewer' })
    expect(entry?.curl).toMatch(/ -b session=acme-viewer$/)
    await controls.sessions.use('globex-owner')
    expect([await me(viewer), await me(member)]).toEqual([gus, gus])
    expect(await me(await signIn('acme-viewer'))).toBe(vera)
  })
})

it.each([undefined, 'acme-member'])(
  'the list of personas marks the persona of a client, with session %s',
  async (session) => {
    const { sessions, me } = await start(session)
    const you = { withoutCookie: session, you: session }
    expect(await sessions()).toMatchObject({ active: session ?? 'acme-owner', ...(session && you) })
    expect(await me()).toBe(session === undefined ? 401 : max)
    expect(await sessions('session=acme-viewer')).toMatchObject({ you: 'acme-viewer' })
  },
)

it('the log says why a caller is not signed in: signed out, an expired session, or an unknown cookie', async () => {
  const { me, signOut, controls } = await start('acme-viewer')
  const reasonFor = async (cookie?: string) => {
    expect(await me(cookie)).toBe(401)
    return (await controls.log.read()).at(-1)?.why
  }
  expect(await reasonFor(await signOut())).toBe('session check: signed out')
  await controls.sessions.use(null)
  expect(await reasonFor('session=active')).toBe('session check: signed out')
  expect(await reasonFor()).toBe('session check: signed out')
  const expiresAt = '2020-01-01T00:00:00.000Z'
  await controls.data.set('sessions', 'acme-owner', { expiresAt })
  expect(await reasonFor('session=acme-owner')).toBe('session check: expired')
  const other = await start()
  expect(await other.me('session=of-another-service')).toBe(401)
  expect((await other.controls.log.read()).at(-1)?.why).toBe('session check: unknown cookie')
})
