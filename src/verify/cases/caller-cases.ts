import type { ErrorCode } from '../../contract/errors.js'
import type { Case, CookieOf, Expected, Mode, Persona, Request } from './case.js'
import { created, everyProject, listed, refused, signInFirst, updated } from './expectations.js'
import { bundle, create, list, mine, step, update } from './requests.js'
import type { Requirement } from './requirements.js'

// The callers: who may run which of the four operations with a session (section 5).

const emptyList: Expected = { status: 200, body: { projects: [] } }

const operations = (as?: Persona) => ({
  list: list(as),
  create: create(as, { name: 'Fresh' }),
  update: update(as, mine, { status: 'active' }),
  bundle: bundle(as),
})

type Row = { who: string; requirement: Requirement; mode?: Mode } & Record<
  keyof ReturnType<typeof operations>,
  Expected
>

const rejected = { bundle: signInFirst, list: refused('AUTH_REQUIRED') }
const turnedAway = (code: ErrorCode) => ({ create: refused(code), update: refused(code) })

/** A row of the callers table: one case an operation. */
function row(
  { who, requirement, mode, ...expected }: Row,
  ask: (request: Request) => Request,
  as?: Persona,
): Case[] {
  return Object.entries(operations(as)).map(([name, request]) => ({
    title: `${who}: ${name} answers ${expected[name as keyof typeof expected].status}`,
    requirement,
    ...(mode && { mode }),
    steps: [step(ask(request), expected[name as keyof typeof expected])],
  }))
}

const persona = (as: Persona, requirement: Requirement, expected: Omit<Row, 'who' | 'requirement'>): Case[] =>
  row({ who: as, requirement, ...expected }, (request) => request, as)

const replaced = (at: number, text: string) =>
  `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`

/** Cookies that open no session, each in place of a persona's. */
const uselessCookies: Record<string, (cookieOf: CookieOf) => string[]> = {
  'no cookie': () => [],
  'a cookie of another name': (of) => [of('acme-owner').replace('session=', 'sessions=')],
  'a cookie whose name is in another case': (of) => [of('acme-owner').replace('session=', 'Session=')],
  'an empty cookie': () => ['session='],
  'a cookie of white space': () => ['session=%20'],
  'an unknown session': () => ['session=nobody-knows-this-one'],
  'a cookie that is no percent-encoding': () => ['session=%E0%A4%A'],
  'a cookie of another language': () => ['session=%F0%9F%8D%8F'],
  'a cookie that names a property of every object': () => ['session=__proto__'],
  'a very long cookie': () => [`session=${'a'.repeat(6000)}`],
  'a cookie with something added': (of) => [`${of('acme-owner')}x`],
  'a cookie with something cut off': (of) => [of('acme-owner').slice(0, -1)],
  'a cookie with a changed character': (of) => [replaced('session='.length + 2, of('acme-owner'))],
  'the same cookie twice': (of) => [`${of('acme-owner')}; ${of('acme-owner')}`],
  'two different cookies': (of) => [`${of('acme-owner')}; ${of('globex-owner')}`],
  'a good cookie and an empty one': (of) => [`${of('acme-owner')}; session=`],
  'two Cookie headers': (of) => [of('acme-owner'), of('acme-owner')],
}

export const callerCases: Case[] = [
  ...Object.entries(uselessCookies).flatMap(([who, cookies]) =>
    row(
      { who, requirement: 'callers: no valid session', ...rejected, ...turnedAway('AUTH_REQUIRED') },
      (request) => ({ ...request, cookies }),
    ),
  ),
  ...persona('expired', 'callers: no valid session', { ...rejected, ...turnedAway('AUTH_REQUIRED') }),
  ...persona('no-organization', 'callers: no organisation', {
    list: emptyList,
    bundle: { status: 200 },
    ...turnedAway('ONBOARDING_REQUIRED'),
  }),
  ...persona('no-team', 'callers: no team', {
    list: emptyList,
    bundle: { status: 200 },
    ...turnedAway('TEAM_MEMBERSHIP_REQUIRED'),
  }),
  ...persona('acme-viewer', 'callers: no permission', {
    list: everyProject(),
    bundle: { status: 200 },
    ...turnedAway('INSUFFICIENT_PERMISSIONS'),
  }),
  ...(['acme-owner', 'acme-member'] as const).flatMap((as) =>
    persona(as, '5 the session cookie', {
      list: everyProject(),
      bundle: { status: 200 },
      create: created({ name: 'Fresh' }, 'acme-owner'),
      update: updated({ status: 'active' }),
    }),
  ),
  {
    title: 'A session decides the team: the other team has its own projects',
    requirement: '5 the session cookie',
    steps: [
      step(list('globex-owner'), everyProject('globex-owner')),
      step(create('globex-owner', { name: 'Mobile app' }), created({}, 'globex-owner')),
      step(list('acme-owner'), everyProject()),
    ],
  },
  {
    title: 'The session cookie is found among others',
    requirement: 'modes: cookies',
    steps: [
      step(
        { ...list(), cookies: (of) => [`theme=dark; ${of('acme-owner')}; sessions=3; my-session=4`] },
        listed((projects) => projects.length > 0, 'has the projects of the team'),
      ),
    ],
  },
  {
    title: 'A refused change changes nothing',
    requirement: 'callers: no permission',
    steps: [
      step(create('acme-viewer', { name: 'Not allowed' }), refused('INSUFFICIENT_PERMISSIONS')),
      step(update('acme-viewer', mine, { name: 'No' }), refused('INSUFFICIENT_PERMISSIONS')),
      step(update(undefined, mine, { name: 'No' }), refused('AUTH_REQUIRED')),
      step(list('acme-viewer'), everyProject()),
    ],
  },
]
