import type { ErrorCode } from '../../contract/errors.js'
import type { Case, CaseRequest, CookieOf, Expectation, Persona } from './case.js'
import { allProjects, created, failure, shortFailure, updated } from './expectations.js'
import { bundle, create, list, own, step, update } from './requests.js'
import type { Requirement } from './requirements.js'
import { callerNames } from './test-data.js'

// Which callers may run which of the four operations with a session (section 5).

const emptyList: Expectation = { status: 200, body: { projects: [] } }

const requests = {
  list: list(),
  create: create(undefined, { name: 'Fresh' }),
  update: update(undefined, own, { status: 'active' }),
  bundle: bundle(),
}

type Row = Record<keyof typeof requests, Expectation>

const readsRefused = { bundle: shortFailure(401), list: failure('AUTH_REQUIRED') }
const changesRefused = (code: ErrorCode) => ({ create: failure(code), update: failure(code) })

/** A row of the callers table: one case per operation. @param caller who sends the requests */
const row = (
  name: string,
  caller: Pick<CaseRequest, 'as' | 'cookies'>,
  requirement: Requirement,
  expected: Row,
): Case[] =>
  (Object.keys(requests) as (keyof Row)[]).map((operation) => ({
    title: `${name}: ${operation} returns ${expected[operation].status}`,
    requirement,
    steps: [step({ ...requests[operation], ...caller }, expected[operation])],
  }))

const persona = (as: Persona, requirement: Requirement, expected: Row): Case[] =>
  row(callerNames[as], { as }, requirement, expected)

const replaceChar = (at: number, text: string) =>
  `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`

/** Cookies without a valid session. */
const invalidCookies: Record<string, (cookieOf: CookieOf) => string[]> = {
  'no cookie': () => [],
  'a cookie with another name': (of) => [of('acme-owner').replace('session=', 'sessions=')],
  'a cookie with its name in another case': (of) => [of('acme-owner').replace('session=', 'Session=')],
  'an empty cookie': () => ['session='],
  'a cookie of white space': () => ['session=%20'],
  'an unknown session': () => ['session=nobody-knows-this-one'],
  'a cookie with invalid percent-encoding': () => ['session=%E0%A4%A'],
  'a cookie with non-ASCII characters': () => ['session=%F0%9F%8D%8F'],
  'a cookie named like an object property': () => ['session=__proto__'],
  'a very long cookie': () => [`session=${'a'.repeat(6000)}`],
  'a cookie with a character added': (of) => [`${of('acme-owner')}x`],
  'a cookie with a character removed': (of) => [of('acme-owner').slice(0, -1)],
  'a cookie with a changed character': (of) => [replaceChar('session='.length + 2, of('acme-owner'))],
  'the same cookie twice': (of) => [`${of('acme-owner')}; ${of('acme-owner')}`],
  'two different cookies': (of) => [`${of('acme-owner')}; ${of('globex-owner')}`],
  'two Cookie headers': (of) => [of('acme-owner'), of('acme-owner')],
}

export const callerCases: Case[] = [
  ...Object.entries(invalidCookies).flatMap(([name, cookies]) =>
    row(name, { cookies }, 'callers: no valid session', {
      ...readsRefused,
      ...changesRefused('AUTH_REQUIRED'),
    }),
  ),
  ...persona('expired', 'callers: no valid session', { ...readsRefused, ...changesRefused('AUTH_REQUIRED') }),
  ...persona('no-organization', 'callers: no organisation', {
    list: emptyList,
    bundle: { status: 200 },
    ...changesRefused('ONBOARDING_REQUIRED'),
  }),
  ...persona('no-team', 'callers: no team', {
    list: emptyList,
    bundle: { status: 200 },
    ...changesRefused('TEAM_MEMBERSHIP_REQUIRED'),
  }),
  ...persona('acme-viewer', 'callers: no permission', {
    list: allProjects(),
    bundle: { status: 200 },
    ...changesRefused('INSUFFICIENT_PERMISSIONS'),
  }),
  ...(['acme-owner', 'acme-member'] as const).flatMap((as) =>
    persona(as, '5 the session cookie', {
      list: allProjects(),
      bundle: { status: 200 },
      create: created({ name: 'Fresh' }, 'acme-owner'),
      update: updated({ status: 'active' }),
    }),
  ),
  {
    title: 'A 401 asks for no authentication scheme: none is registered for cookies',
    requirement: 'callers: no valid session',
    steps: Object.entries({ ...changesRefused('AUTH_REQUIRED'), ...readsRefused }).map(
      ([operation, expected]) =>
        step(requests[operation as keyof Row], { ...expected, headers: { 'www-authenticate': null } }),
    ),
  },
  {
    title: 'The session determines the team: the other team has its own projects',
    requirement: '5 the session cookie',
    steps: [
      step(list('globex-owner'), allProjects('globex-owner')),
      step(create('globex-owner', { name: 'Mobile app' }), created({}, 'globex-owner')),
      step(list('acme-owner'), allProjects()),
    ],
  },
  {
    title: 'Of several session cookies, the only one that is valid counts',
    requirement: 'modes: cookies',
    steps: ['session=', 'session=nobody-knows-this-one', 'session=%E0%A4%A'].flatMap((other) => [
      step({ ...list(), cookies: (of) => [`${of('acme-owner')}; ${other}`] }, allProjects()),
      step({ ...list(), cookies: (of) => [`${other}; ${of('acme-owner')}`] }, allProjects()),
    ]),
  },
  {
    title: 'The session cookie is found among other cookies',
    requirement: 'modes: cookies',
    steps: [
      step(
        { ...list(), cookies: (of) => [`theme=dark; ${of('acme-owner')}; sessions=3; my-session=4`] },
        allProjects(),
      ),
    ],
  },
  {
    title: 'A refused change has no effect',
    requirement: 'callers: no permission',
    steps: [
      step(create('acme-viewer', { name: 'Not allowed' }), failure('INSUFFICIENT_PERMISSIONS')),
      step(update('acme-viewer', own, { name: 'No' }), failure('INSUFFICIENT_PERMISSIONS')),
      step(update(undefined, own, { name: 'No' }), failure('AUTH_REQUIRED')),
      step(list('acme-viewer'), allProjects()),
    ],
  },
]
