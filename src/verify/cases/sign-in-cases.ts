import type { Case, CaseContext, CaseRequest, ReceivedResponse } from './case.js'
import { each, lists, step, table } from './case-table.js'
import { allProjects, failure } from './expectations.js'
import { list, utf8, withBytes } from './requests.js'

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

/** A Set-Cookie header that clears the session cookie, which is for the whole site. */
const cleared = /^session=;(?=.*Path=\/(;|$)).*(Max-Age=0|Expires=Thu, 01 Jan 1970)/i

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

/** A page signs out with a target, and a provider, if there is one, leads back to the service. */
const signOutTo = ([returnTo, target]: [string, string]) => [
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
    ({ responses: [, signedOut] }: CaseContext) => ({
      method: 'GET',
      path: afterProvider(signedOut) ?? '/v1/nothing',
    }),
    ({ responses: [, signedOut] }: CaseContext) =>
      afterProvider(signedOut) ? { status: 303, headers: { location: target } } : { status: 404 },
  ),
]

const signsOut = (request: Partial<CaseRequest>) =>
  step(signOut(request), { status: 204, headers: { 'set-cookie': cleared } })

const inMock: Case[] = [
  ...table('modes: sign-in and sign-out', {
    'The mock shows a page to choose a persona': step(
      { method: 'GET', path: '/auth/sign-in?returnTo=/projects' },
      { status: 200, headers: { 'content-type': /^text\/html/, 'cache-control': 'no-store' } },
    ),
    'The mock signs in as the chosen persona and redirects to returnTo': step(
      signInAs('acme-viewer', '/auth/sign-in?returnTo=/projects?tab=a'),
      {
        status: 303,
        headers: { location: '/projects?tab=a', 'set-cookie': /^session=acme-viewer; Path=\/; / },
      },
    ),
    'The mock redirects to no other site after a sign-in': Object.entries(targets).map(([returnTo, target]) =>
      step(signInAs('acme-viewer', `/auth/sign-in?returnTo=${returnTo}`), {
        status: 303,
        headers: { location: target },
      }),
    ),
    'The mock refuses to sign in as an unknown persona': step(signInAs('nobody'), {
      status: 422,
      headers: { 'set-cookie': null },
    }),
  }),
  ...table(
    'modes: cookies',
    {
      "The mock's cookie is the persona's name, or `active` for the active persona": [
        step({ ...list(), cookies: () => ['session=acme-owner'] }, { status: 200 }),
        step({ ...list(), cookies: () => ['session=active'] }, allProjects('acme-owner')),
      ],
    },
    { needsReset: true },
  ),
]

const inProduction: Case[] = [
  ...table('modes: sign-in and sign-out', {
    'Production redirects to the identity provider, or returns 501 without one': step(
      { method: 'GET', path: '/auth/sign-in?returnTo=/projects' },
      { status: [302, 303, 501], headers: { 'set-cookie': /^(?!session=.)/, 'cache-control': 'no-store' } },
    ),
  }),
  ...table('modes: cookies', {
    'A production session cookie is not a name that can be guessed': [
      'acme-owner',
      'active',
      'user-ada',
      'org_acme',
    ].map((name) => step({ ...list(), cookies: () => [`session=${name}`] }, failure('AUTH_REQUIRED'))),
  }),
  ...table(
    'callers: no valid session',
    {
      'Signing out ends the session for good, and no other session': [
        step(list('acme-owner'), { status: 200 }),
        step(signOut({ as: 'acme-owner' }), { status: 204 }),
        step(list('acme-owner'), failure('AUTH_REQUIRED')),
        step(list('acme-member'), { status: 200 }),
      ],
    },
    { needsReset: true },
  ),
]

export const signInCases: Case[] = [
  ...inMock.map((testCase): Case => ({ ...testCase, mode: 'mock' })),
  ...inProduction.map((testCase): Case => ({ ...testCase, mode: 'production' })),
  ...table(
    'modes: sign-in and sign-out',
    {
      'Signing out clears the cookie, with or without a session': [
        signsOut({ as: 'acme-owner' }),
        signsOut({}),
        signsOut({ cookies: () => ['session=garbled%'] }),
      ],
    },
    { needsReset: true },
  ),
  ...each(
    Object.entries(targets),
    'modes: sign-in and sign-out',
    ([returnTo, target]) =>
      `A page that signs out with the target ${returnTo} is redirected to ${target}, if need be by way of the identity provider`,
    signOutTo,
    { addsOnly: true },
  ),
  ...table('modes: sign-in and sign-out', {
    'Only POST signs out': [
      ...['GET', 'HEAD', 'PUT', 'DELETE'].map((method) =>
        step(
          { method, path: '/auth/sign-out', as: 'acme-viewer', raw: true },
          { status: [404, 405], headers: { 'set-cookie': null } },
        ),
      ),
      lists('acme-viewer'),
    ],
  }),
]
