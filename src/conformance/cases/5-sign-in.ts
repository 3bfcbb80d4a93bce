import type { Case, Reply } from '../case.js'
import { expectError, expectHeader, expectStatus, expectTrue } from '../expect.js'
import { list } from '../requests.js'

// 5.6 does not say how a session is obtained: signing in and out are two paths outside of /v1/, the same in both modes.

const signIn = { method: 'GET', path: '/auth/sign-in?returnTo=/projects' }

/** The form that the mock's sign-in page sends. */
const choose = (persona: string, returnTo: string) => ({
  method: 'POST',
  path: `/auth/sign-in?returnTo=${returnTo}`,
  bytes: `session=${persona}`,
  type: 'application/x-www-form-urlencoded',
})

/** Where a sign-out may not lead. */
const otherSites = [
  '//evil.example',
  'https://evil.example/',
  '/%5Cevil.example',
  'javascript:alert(1)',
  '/%09/evil.example',
  '///evil.example',
  '/.//evil.example',
  'https:evil.example',
]

/** A Set-Cookie header that clears the session cookie, which is for the whole site. */
const cleared = /^session=;(?=.*Path=\/(;|$)).*(Max-Age=0|Expires=Thu, 01 Jan 1970)/i

const parsed = (url: string | null | undefined) => (url && URL.canParse(url) ? new URL(url) : undefined)
const queryOf = ({ headers }: Reply) => parsed(headers.location)?.searchParams

const requirement = 'modes: sign-in and sign-out'

export const signInCases: Case[] = [
  {
    title: 'The mock shows a page to choose a persona',
    requirement,
    mode: 'mock',
    async play({ send }) {
      const page = await send(signIn)
      expectStatus(page, 200)
      expectHeader(page, 'content-type', /^text\/html/)
      expectHeader(page, 'cache-control', 'no-store')
    },
  },
  {
    title: 'The mock signs in as the chosen persona and leads to returnTo, on no other site',
    requirement,
    mode: 'mock',
    write: true,
    async play({ send }) {
      const signedIn = await send(choose('acme-viewer', '/a?b=c'))
      expectStatus(signedIn, 303)
      expectHeader(signedIn, 'location', '/a?b=c')
      expectHeader(signedIn, 'set-cookie', /^session=acme-viewer; Path=\/; /)
      for (const returnTo of otherSites)
        expectHeader(await send(choose('acme-viewer', returnTo)), 'location', '/')
    },
  },
  {
    title: 'The mock refuses to sign in as an unknown persona',
    requirement,
    mode: 'mock',
    write: true,
    async play({ send }) {
      const reply = await send(choose('nobody', '/'))
      expectStatus(reply, 422)
      expectHeader(reply, 'set-cookie', null)
    },
  },
  {
    title: 'Production leads to the identity provider, or returns 501 without one',
    requirement,
    mode: 'production',
    async play({ send }) {
      const reply = await send(signIn)
      expectStatus(reply, 302, 303, 501)
      expectHeader(reply, 'set-cookie', /^(?!session=.)/)
      expectHeader(reply, 'cache-control', 'no-store')
    },
  },
  {
    title:
      'A sign-out clears the cookie and leads to returnTo, by way of the identity provider and to no other site',
    requirement,
    write: true,
    async play({ send }) {
      const provider = queryOf(await send(signIn))
      for (const [returnTo, target] of [['/bye?now', '/bye?now'], ...otherSites.map((site) => [site, '/'])]) {
        const path = `/auth/sign-out?returnTo=${returnTo}`
        let reply = await send({ method: 'POST', path, headers: { accept: 'text/html' } })
        expectStatus(reply, 303)
        expectHeader(reply, 'set-cookie', cleared)
        const there = queryOf(reply)
        // The provider is the one that the sign-in leads to, and leads back to the service.
        if (provider && there) {
          const back = parsed(there.get('post_logout_redirect_uri'))
          const isThere =
            there.get('client_id') === provider.get('client_id') &&
            back?.origin === parsed(provider.get('redirect_uri'))?.origin
          expectTrue(isThere, `a sign-out leads to ${reply.headers.location}`)
          const state = encodeURIComponent(there.get('state') ?? '')
          reply = await send({ method: 'GET', path: `${back?.pathname}?state=${state}` })
        }
        expectHeader(reply, 'location', target ?? '/')
      }
    },
  },
  {
    title: 'Only POST signs out',
    requirement,
    write: true,
    async play({ send }) {
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
        const reply = await send({ method, path: '/auth/sign-out', as: 'viewer', raw: true })
        expectStatus(reply, 404, 405)
        expectHeader(reply, 'set-cookie', null)
      }
      expectStatus(await send(list('viewer')), 200)
      expectError(await send(list()), 'AUTH_REQUIRED')
    },
  },
]
