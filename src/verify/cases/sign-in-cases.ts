import type { Case, CaseRequest } from './case.js'
import { allProjects, failure } from './expectations.js'
import { list, step, utf8, withBytes } from './requests.js'

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

const foreignTargets = [
  '//evil.example',
  'https://evil.example/',
  '/%5Cevil.example',
  'javascript:alert(1)',
  '%2F%2Fevil.example',
]

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
  {
    title: 'A page that signs out is redirected to a path of the site',
    requirement: 'modes: sign-in and sign-out',
    steps: [
      step(signOut({ path: '/auth/sign-out?returnTo=/bye?now', headers: fromPage }), {
        status: 303,
        headers: { location: '/bye?now', 'set-cookie': cleared },
      }),
    ],
  },
  ...foreignTargets.map(
    (returnTo): Case => ({
      title: `A page that signs out is not redirected to ${returnTo}`,
      requirement: 'modes: sign-in and sign-out',
      steps: [
        step(signOut({ path: `/auth/sign-out?returnTo=${returnTo}`, headers: fromPage }), {
          status: 303,
          headers: { location: '/' },
        }),
      ],
    }),
  ),
]
