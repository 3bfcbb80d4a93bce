import type { Case, Request } from './case.js'
import { everyProject, refused } from './expectations.js'
import { list, step } from './requests.js'

// Signing in and out: the same two paths in both modes, outside /v1/.

const signOut = (request: Partial<Request> = {}): Request => ({
  method: 'POST',
  path: '/auth/sign-out',
  ...request,
})
const fromPage = { accept: 'text/html,application/xhtml+xml' }

/** A header that takes the session cookie away. */
const cleared = /^session=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/i

const elsewhere = [
  '//evil.example',
  'https://evil.example/',
  '/%5Cevil.example',
  'javascript:alert(1)',
  '%2F%2Fevil.example',
]

export const signInCases: Case[] = [
  {
    title: 'The mock shows a page to pick a persona',
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
    title: 'Production goes to the identity provider, or says that it has none',
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
    title: 'The mock signs in as the persona that was picked, and goes on to the path that was asked for',
    requirement: 'modes: sign-in and sign-out',
    mode: 'mock',
    steps: [
      step(
        {
          method: 'POST',
          path: '/auth/sign-in?returnTo=/projects?tab=a',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          bytes: new TextEncoder().encode('session=acme-viewer'),
        },
        {
          status: 303,
          headers: { location: '/projects?tab=a', 'set-cookie': /^session=acme-viewer; Path=\/; / },
        },
      ),
    ],
  },
  {
    title: 'The mock does not sign in as a persona that it does not have',
    requirement: 'modes: sign-in and sign-out',
    mode: 'mock',
    steps: [
      step(
        {
          method: 'POST',
          path: '/auth/sign-in',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          bytes: new TextEncoder().encode('session=nobody'),
        },
        { status: 422, headers: { 'set-cookie': null } },
      ),
    ],
  },
  {
    title: "The mock's cookie is the persona's name, or active for the one in use",
    requirement: 'modes: cookies',
    mode: 'mock',
    needsReset: true,
    steps: [
      step({ ...list(), cookies: () => ['session=acme-owner'] }, { status: 200 }),
      step({ ...list(), cookies: () => ['session=active'] }, everyProject('acme-owner')),
    ],
  },
  {
    title: 'A production session is not a name that can be guessed',
    requirement: 'modes: cookies',
    mode: 'production',
    steps: ['acme-owner', 'active', 'user-ada', 'org_acme'].map((name) =>
      step({ ...list(), cookies: () => [`session=${name}`] }, refused('AUTH_REQUIRED')),
    ),
  },
  {
    title: 'Signing out takes the cookie away, with or without a session',
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
    title: 'After signing out the session is over for good, and other sessions go on',
    requirement: 'callers: no valid session',
    mode: 'production',
    needsReset: true,
    steps: [
      step(list('acme-owner'), { status: 200 }),
      step(signOut({ as: 'acme-owner' }), { status: 204 }),
      step(list('acme-owner'), refused('AUTH_REQUIRED')),
      step(list('acme-member'), { status: 200 }),
    ],
  },
  {
    title: 'A page that signs out is sent on to a path of the site',
    requirement: 'modes: sign-in and sign-out',
    steps: [
      step(signOut({ path: '/auth/sign-out?returnTo=/bye?now', headers: fromPage }), {
        status: 303,
        headers: { location: '/bye?now', 'set-cookie': cleared },
      }),
    ],
  },
  ...elsewhere.map(
    (returnTo): Case => ({
      title: `A page that signs out is not sent away to ${returnTo}`,
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
