import type { Case, CaseContext, Expectation, ReceivedResponse } from './case.js'
import { list, table, words } from './steps.js'

// Signing in and out: the same two paths in both modes, outside of /v1/.

const signIn = (expect: Expectation) => ({ method: 'GET', path: '/auth/sign-in?returnTo=/projects', expect })

/** The form that the mock's sign-in page sends. */
const choose = (persona: string, returnTo: string, expect: Expectation) => {
  const type = 'application/x-www-form-urlencoded'
  const path = `/auth/sign-in?returnTo=${returnTo}`
  return { method: 'POST', path, bytes: `session=${persona}`, type, expect }
}

/** A Set-Cookie header that clears the session cookie, which is for the whole site. */
const cleared = /^session=;(?=.*Path=\/(;|$)).*(Max-Age=0|Expires=Thu, 01 Jan 1970)/i

/** What is asked for as `returnTo`, and where it leads. */
const targets = words(`/bye?now //evil.example https://evil.example/ /%5Cevil.example javascript:alert(1)
  /%09/evil.example ///evil.example /.//evil.example https:evil.example`).map(
  (returnTo, i): [returnTo: string, target: string] => [returnTo, i === 0 ? returnTo : '/'],
)

const redirects = (location: string, setCookie = /^/) => ({
  status: 303,
  headers: { location, 'set-cookie': setCookie },
})

const urlOf = (url?: string | null) => (url && URL.canParse(url) ? new URL(url) : undefined)
const queryOf = (response: ReceivedResponse | undefined) => urlOf(response?.headers.location)?.searchParams

/** Whether a sign-out leads to the identity provider that the sign-in leads to, and from there back to the service. */
function isAtProvider(location: string, signIn: ReceivedResponse | undefined): boolean {
  const [signedOut, signingIn] = [urlOf(location)?.searchParams, queryOf(signIn)]
  const service = urlOf(signingIn?.get('redirect_uri'))?.origin
  return (
    service !== undefined &&
    signingIn?.get('client_id') === signedOut?.get('client_id') &&
    urlOf(signedOut?.get('post_logout_redirect_uri'))?.origin === service
  )
}

/** The path that a provider leads to after a sign-out, with the state it was given; undefined if there is no provider. */
function afterProvider(signedOut: ReceivedResponse | undefined): string | undefined {
  const url = urlOf(queryOf(signedOut)?.get('post_logout_redirect_uri'))
  return url && `${url.pathname}?state=${encodeURIComponent(queryOf(signedOut)?.get('state') ?? '')}`
}

const requirement = 'modes: sign-in and sign-out'

export const signInCases: Case[] = [
  ...table(
    { requirement, mode: 'mock' },
    {
      'The mock shows a page to choose a persona': signIn({
        status: 200,
        headers: { 'content-type': /^text\/html/, 'cache-control': 'no-store' },
      }),
      'The mock signs in as the chosen persona and redirects to returnTo, on no other site': [
        choose('acme-viewer', '/a?b=c', redirects('/a?b=c', /^session=acme-viewer; Path=\/; /)),
        ...targets.map(([returnTo, target]) => choose('acme-viewer', returnTo, redirects(target))),
      ],
      'The mock refuses to sign in as an unknown persona': choose('nobody', '/', {
        status: 422,
        headers: { 'set-cookie': null },
      }),
    },
  ),
  ...table(
    { requirement, mode: 'production' },
    {
      'Production redirects to the identity provider, or returns 501 without one': signIn({
        status: [302, 303, 501],
        headers: { 'set-cookie': /^(?!session=.)/, 'cache-control': 'no-store' },
      }),
    },
  ),
  {
    title: 'A page that signs out is redirected to no other site, but by way of the identity provider',
    requirement,
    steps: [
      signIn({ status: [200, 302, 303, 501] }),
      targets.map(([returnTo, target]) => ({
        method: 'POST',
        path: `/auth/sign-out?returnTo=${returnTo}`,
        headers: { accept: 'text/html' },
        expect({ responses: [signIn] }: CaseContext) {
          const location = (given: string) => given === target || isAtProvider(given, signIn)
          return { status: 303, headers: { location, 'set-cookie': cleared } }
        },
      })),
      // A provider redirects to these addresses.
      targets.map(([, target], i) => ({ responses }: CaseContext) => {
        const path = afterProvider(responses[i + 1])
        const expect = path ? redirects(target) : { status: 404 }
        return { method: 'GET', path: path ?? '/v1/nothing', expect }
      }),
    ],
  },
  ...table(requirement, {
    'Only POST signs out': [
      ...['GET', 'HEAD', 'PUT', 'DELETE'].map((method) => ({
        method,
        path: '/auth/sign-out',
        as: 'acme-viewer' as const,
        raw: true,
        expect: { status: [404, 405], headers: { 'set-cookie': null } },
      })),
      list('acme-viewer'),
    ],
  }),
]
