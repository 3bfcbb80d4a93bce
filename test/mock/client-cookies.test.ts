import { afterEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from '../../src/mock/node.js'

// Clients with separate cookies, as tough-cookie and axios-cookiejar-support give them to each client of a process.

const baseUrl = 'http://api.test'
let server: MockServer | undefined
afterEach(() => server?.close())

function listen(options: MockServerOptions = {}): MockServer {
  server = createMockServer({ baseUrl, ...options })
  server.listen()
  return server
}

/** A client that stores the cookies of responses, and sends them. */
function createClient(cookies = new Map<string, string>()) {
  const send = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(init.headers as object), ...(cookie && { cookie }) }
    const response = await fetch(baseUrl + path, { ...init, headers, redirect: 'manual' })
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    return response
  }
  return {
    signIn: (persona: string) =>
      send('/auth/sign-in', { method: 'POST', body: new URLSearchParams({ session: persona }) }),
    signOut: () => send('/auth/sign-out', { method: 'POST' }),
    async me() {
      const response = await send('/v1/auth/me')
      return response.ok ? (await response.json()).user.email : response.status
    },
  }
}

describe('the session of clients with separate cookies', () => {
  it('is that of the sent cookie, and does not change the session of others', async () => {
    const mock = listen({ session: 'acme-owner' })
    const [a, b] = [createClient(new Map([['theme', 'dark']])), createClient(new Map([['theme', 'dark']]))]
    await a.signIn('acme-viewer')
    await b.signIn('globex-owner')
    expect([await a.me(), await b.me()]).toEqual(['vera@acme.example', 'gus@globex.example'])
    await b.signOut()
    expect([await a.me(), await b.me()]).toEqual(['vera@acme.example', 401])
    // Requests without a Cookie header share the session of the process.
    expect(await (await fetch(`${baseUrl}/v1/auth/me`)).json()).toMatchObject({
      user: { email: 'ada@acme.example' },
    })
    await mock.reset()
  })

  it("does not exist for a client without a cookie, with cookies: 'as-sent'", async () => {
    const mock = listen({ cookies: 'as-sent' })
    const [a, b] = [createClient(), createClient()]
    await b.signIn('globex-owner')
    expect([await a.me(), await b.me()]).toEqual([401, 'gus@globex.example'])
    await a.signIn('acme-viewer')
    expect([await a.me(), await b.me()]).toEqual(['vera@acme.example', 'gus@globex.example'])
    await b.signOut()
    expect([await a.me(), await b.me()]).toEqual(['vera@acme.example', 401])
    // A test may still choose the persona of clients without a cookie.
    await mock.session.use('acme-owner')
    expect([await a.me(), await b.me()]).toEqual(['vera@acme.example', 'ada@acme.example'])
  })

  it("is separate for each client in isolated tests, with cookies: 'as-sent'", async () => {
    const mock = listen({ cookies: 'as-sent' })
    await mock.isolate(async () => {
      const [a, b] = [createClient(), createClient()]
      await a.signIn('acme-viewer')
      expect([await a.me(), await b.me()]).toEqual(['vera@acme.example', 401])
    })()
  })
})
