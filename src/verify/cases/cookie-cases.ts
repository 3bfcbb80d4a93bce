import { row, unauthorized } from './caller-cases.js'
import type { Case, CookieOf } from './case.js'
import { allProjects } from './expectations.js'
import { given, list, step } from './requests.js'

// Which Cookie headers are a session, and which only look like one (section 5).

const owner = (of: CookieOf) => of('acme-owner').replace('session=', '')

const replaceChar = (at: number, text: string) =>
  `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`

const percentEncoded = (text: string) =>
  [...text].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

/** The start of the owner's cookie and the end of another one, divided in the middle and at the last full stop. */
const spliced: Record<string, (cookieOf: CookieOf) => string[]> = {
  'the start of one session and the end of another': (of) => splice(of, (cookie) => cookie.lastIndexOf('.')),
  'half of one session and half of another': (of) => splice(of, ({ length }) => length >> 1),
}

function splice(of: CookieOf, at: (cookie: string) => number): string[] {
  const [first, second] = [of('acme-owner'), of('globex-owner')]
  const both = first.slice(0, at(first)) + second.slice(at(second))
  return [both === first || both === second ? 'session=x' : both]
}

const otherNames = [
  'sessions',
  'Session',
  'SESSION',
  'session_id',
  'sessionid',
  'sid',
  'connect.sid',
  'token',
  'auth',
  'session[]',
  'session.0',
  'xsession',
]

/** Cookies without a valid session. */
const invalid: Record<string, (cookieOf: CookieOf) => string[]> = {
  'a session under other names': (of) => [otherNames.map((name) => `${name}=${owner(of)}`).join('; ')],
  'an empty cookie': () => ['session='],
  'a cookie of white space': () => ['session=%20'],
  'an unknown session': () => ['session=nobody-knows-this-one'],
  'a cookie with invalid percent-encoding': () => ['session=%E0%A4%A'],
  'a cookie with non-ASCII characters': () => ['session=%F0%9F%8D%8F'],
  'a cookie named like an object property': () => ['session=__proto__'],
  'a very long cookie': () => [`session=${'a'.repeat(6000)}`],
  'a cookie with a character added': (of) => [`${of('acme-owner')}x`],
  'a cookie with a character removed': (of) => [of('acme-owner').slice(0, -1)],
  'a cookie that is cut in half': (of) => [`session=${owner(of).slice(0, owner(of).length >> 1)}`],
  'a cookie with a changed character': (of) => [replaceChar('session='.length + 2, of('acme-owner'))],
  'a cookie with its last character changed': (of) => [
    replaceChar(of('acme-owner').length - 1, of('acme-owner')),
  ],
  'a cookie in capitals': (of) => [`session=${owner(of).toUpperCase()}`],
  'a cookie in quotes': (of) => [`session="${owner(of)}"`],
  'a cookie after white space': (of) => [`session=%20${owner(of)}`],
  'a cookie before a line break': (of) => [`session=${owner(of)}%0A`],
  'a cookie after "Bearer"': (of) => [`session=Bearer%20${owner(of)}`],
  'a cookie that is percent-encoded twice': (of) => [
    `session=${percentEncoded(owner(of)).replaceAll('%', '%25')}`,
  ],
  'the same cookie twice': (of) => [`${of('acme-owner')}; ${of('acme-owner')}`],
  'two different cookies': (of) => [`${of('acme-owner')}; ${of('globex-owner')}`],
  'two Cookie headers': (of) => [of('acme-owner'), of('acme-owner')],
}

/** A page cannot set them without TLS. */
const prefixed = (of: CookieOf) => [`__Host-session=${owner(of)}; __Secure-session=${owner(of)}`]

export const cookieCases: Case[] = [
  ...row(
    'a session under names with a prefix',
    { cookies: prefixed, raw: true },
    'callers: no valid session',
    unauthorized,
  ),
  // In the mock a cookie is a name, and such a name may be another persona's.
  ...Object.entries(spliced).flatMap(([name, cookies]) =>
    row(name, { cookies }, 'callers: no valid session', unauthorized).map(
      (testCase): Case => ({ ...testCase, mode: 'production' }),
    ),
  ),
  ...Object.entries(invalid).flatMap(([name, cookies]) =>
    row(name, { cookies }, 'callers: no valid session', unauthorized),
  ),
  given(
    'Of several session cookies, the only one that is valid counts',
    'modes: cookies',
    ...['session=', 'session=nobody-knows-this-one', 'session=%E0%A4%A'].flatMap((other) => [
      step({ ...list(), cookies: (of) => [`${of('acme-owner')}; ${other}`] }, allProjects()),
      step({ ...list(), cookies: (of) => [`${other}; ${of('acme-owner')}`] }, allProjects()),
    ]),
  ),
  given(
    'The session cookie is found among other cookies',
    'modes: cookies',
    step(
      { ...list(), cookies: (of) => [`theme=dark; ${of('acme-owner')}; sessions=3; my-session=4`] },
      allProjects(),
    ),
  ),
  given(
    'A session cookie may be percent-encoded',
    'modes: cookies',
    step({ ...list(), cookies: (of) => [`session=${percentEncoded(owner(of))}`] }, allProjects()),
  ),
]
