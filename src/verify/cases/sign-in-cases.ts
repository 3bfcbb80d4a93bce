import type { Case, CaseRequest, ReceivedResponse } from './case.js'
import { allProjects, failure } from './expectations.js'
import { given, list, step, utf8, withBytes } from './requests.js'

// Signing in and out: the same two paths in both modes, outside of /v1/.

/** The form that the mock's sign-in page sends. */
const signInAs = (persona: string, path = '/auth/sign-in'): CaseRequest =>
  withBytes({ method: 'POST', path }, utf8(`session=${persona}`), 'application/x-www-form-urlencoded')

const signOut = (request: Partial<CaseRequest> = {}): CaseRequest => ({
  method: 'POST',
  path: '/auth/sign-out',
  ...request,
})
const fromPage = { accept: 'text/html,application/xhtml+xml' }

/** A Set-Cookie header that clears the session cookie. */
const cleared = /^session=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/i

/** What is asked for as `returnTo`, and where it leads. */
const targets: Record<string, string> = {
  '/bye?now': '/bye?now',
  '//evil.example': '/',
  'https://evil.example/': '/',
  '/%5Cevil.example': '/',
  'javascript:alert(1)': '/',
  '%2F%2Fevil.example': '/',
}

const originOf = (url: string | null) => (url !== null && URL.canParse(url) ? new URL(url).origin : undefined)
const searchOf = (url: string) => (URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams())

/** Whether a sign-out leads to the identity provider that the sign-in leads to, and from there back to the service. */
function isAtProvider(location: string, signIn: ReceivedResponse | undefined): boolean {
  const [asked, given] = [searchOf(signIn?.headers.location ?? ''), searchOf(location)]
  const service = originOf(asked.get('redirect_uri'))
  return (
    service !== undefined &&
    asked.get('client_id') === given.get('client_id') &&
    originOf(given.get('post_logout_redirect_uri')) === service
  )
}

/** The path that a provider leads to after a sign-out; undefined if the service has no provider. */
function afterProvider(signedOut: ReceivedResponse | undefined): string | undefined {
  const given = searchOf(signedOut?.headers.location ?? '')
  const url = given.get('post_logout_redirect_uri')
  return url === null
    ? undefined
    : `${new URL(url).pathname}?state=${encodeURIComponent(given.get('state') ?? '')}`
}

export const signInCases: Case[] = [
  {
    title: 'The mock shows a page to choose a persona',
    requirement: 'modes: sign-in and sign-out',
    mode: 'mock',
    steps: [
      step(
        { method: 'GET', path: '/auth/sign-in?returnTo=/projects' },
        { status: 200, headers: { 'content-type': /^text\/html/, 'cache-control': 'no-store' } },
      ),
    ],
  },
  {
    title: 'Production redirects to the identity provider, or returns 501 without one',
    requirement: 'modes: sign-in and sign-out',
    mode: 'production',
    steps: [
      step(
        { method: 'GET', path: '/auth/sign-in?returnTo=/projects' },
        { status: [302, 303, 501], headers: { 'set-cookie': /^(?!session=.)/, 'cache-control': 'no-store' } },
      ),
    ],
  },
  {
    title: 'The mock signs in as the chosen persona and redirects to returnTo',
    requirement: 'modes: sign-in and sign-out',
    mode: 'mock',
    steps: [
      step(signInAs('acme-viewer', '/auth/sign-in?returnTo=/projects?tab=a'), {
        status: 303,
        headers: { location: '/projects?tab=a', 'set-cookie': /^session=acme-viewer; Path=\/; / },
      }),
    ],
  },
  {
    title: 'The mock refuses to sign in as an unknown persona',
    requirement: 'modes: sign-in and sign-out',
    mode: 'mock',
    steps: [step(signInAs('nobody'), { status: 422, headers: { 'set-cookie': null } })],
  },
  {
    title: "The mock's cookie is the persona's name, or `active` for the active persona",
    requirement: 'modes: cookies',
    mode: 'mock',
    needsReset: true,
    steps: [
      step({ ...list(), cookies: () => ['session=acme-owner'] }, { status: 200 }),
      step({ ...list(), cookies: () => ['session=active'] }, allProjects('acme-owner')),
    ],
  },
  {
    title: 'A production session cookie is not a name that can be guessed',
    requirement: 'modes: cookies',
    mode: 'production',
    steps: ['acme-owner', 'active', 'user-ada', 'org_acme'].map((name) =>
      step({ ...list(), cookies: () => [`session=${name}`] }, failure('AUTH_REQUIRED')),
    ),
  },
  {
    title: 'Signing out clears the cookie, with or without a session',
    requirement: 'modes: sign-in and sign-out',
    needsReset: true,
    steps: [
      step(signOut({ as: 'acme-owner' }), { status: 204, headers: { 'set-cookie': cleared } }),
      step(signOut(), { status: 204, headers: { 'set-cookie': cleared } }),
      step(signOut({ cookies: () => ['session=garbled%'] }), {
        status: 204,
        headers: { 'set-cookie': cleared },
      }),
    ],
  },
  {
    title: 'Signing out ends the session for good, and no other session',
    requirement: 'callers: no valid session',
    mode: 'production',
    needsReset: true,
    steps: [
      step(list('acme-owner'), { status: 200 }),
      step(signOut({ as: 'acme-owner' }), { status: 204 }),
      step(list('acme-owner'), failure('AUTH_REQUIRED')),
      step(list('acme-member'), { status: 200 }),
    ],
  },
  ...Object.entries(targets).map(
    ([returnTo, target]): Case =>
      given(
        `A page that signs out with the target ${returnTo} is redirected to ${target}, if need be by way of the identity provider`,
        'modes: sign-in and sign-out',
        step({ method: 'GET', path: '/auth/sign-in' }, { status: [200, 302, 303, 501] }),
        step(signOut({ path: `/auth/sign-out?returnTo=${returnTo}`, headers: fromPage }), {
          status: 303,
          headers: {
            location: (location, [signIn]) => location === target || isAtProvider(location, signIn),
            'set-cookie': cleared,
          },
        }),
        // A provider redirects to this address, with the state that it was given.
        step(
          ({ responses: [, signedOut] }) => ({
            method: 'GET',
            path: afterProvider(signedOut) ?? '/v1/nothing',
          }),
          ({ responses: [, signedOut] }) =>
            afterProvider(signedOut) ? { status: 303, headers: { location: target } } : { status: 404 },
        ),
      ),
  ),
  given(
    'Only POST signs out',
    'modes: sign-in and sign-out',
    ...['GET', 'HEAD', 'PUT', 'DELETE'].map((method) =>
      step(
        { method, path: '/auth/sign-out', as: 'acme-viewer', raw: true },
        { status: [404, 405], headers: { 'set-cookie': null } },
      ),
    ),
    step(list('acme-viewer'), allProjects()),
  ),
]
