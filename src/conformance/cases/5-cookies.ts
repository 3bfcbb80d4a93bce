import type { Case, Service } from '../case.js'
import { expectError, expectStatus } from '../expect.js'
import { bundle, create, list, percentEncoded, update } from '../requests.js'

// 5. Which Cookie headers are a session, and which only look like one.

/** A case whose cookies, made from the value of the owner's, open no session. */
const noSession = (title: string, cookiesOf: (value: string, service: Service) => string[][]): Case => ({
  title,
  requirement: 'callers: no valid session',
  async play(service) {
    const value = service.cookieOf('owner').replace('session=', '')
    for (const cookies of cookiesOf(value, service)) {
      expectError(await service.send({ ...list(), cookies }), 'AUTH_REQUIRED')
      expectStatus(await service.send({ ...bundle(), cookies }), 401)
    }
  },
})

const session = (value: string) => [`session=${value}`]
/** A text with another character at a place. */
const replaced = (text: string, at: number) =>
  `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`

export const cookieCases: Case[] = [
  noSession('A cookie of an unknown session opens none', () => [
    ...['', '%20', 'nobody-knows-this-one', '%E0%A4%A', '%F0%9F%8D%8F', '__proto__', 'a'.repeat(3000)].map(
      session,
    ),
  ]),
  noSession('A cookie that is changed in one character, cut or extended opens no session', (value) => [
    session(`${value}x`),
    session(value.slice(0, -1)),
    session(value.slice(0, value.length >> 1)),
    session(replaced(value, 2)),
    session(replaced(value, value.length - 1)),
    session(value.toUpperCase()),
  ]),
  noSession('A cookie in other words opens no session', (value) => [
    session(`"${value}"`),
    session(`%20${value}`),
    session(`${value}%0A`),
    session(`Bearer%20${value}`),
    session(percentEncoded(percentEncoded(value))),
    [`theme=dark, session=${value}`],
  ]),
  noSession('Two valid session cookies open none, in one header or in two', (value, { cookieOf }) => [
    [`session=${value}; session=${value}`],
    [`session=${value}; ${cookieOf('other-owner')}`],
    [`session=${value}`, `session=${value}`],
  ]),
  noSession('A session is not taken from a cookie of another name', (value) =>
    ['Session', 'SESSION', 'session_id', 'sid', 'token', 'auth', 'session[]', 'xsession', '%73ession'].map(
      (name) => [`${name}=${value}`],
    ),
  ),
  {
    title: 'A session is not taken from a cookie with a prefix',
    requirement: 'callers: no valid session',
    async play({ send, cookieOf }) {
      // A page cannot set them without TLS.
      for (const prefix of ['__Host-', '__Secure-'])
        expectError(
          await send({ ...list(), cookies: [prefix + cookieOf('owner')], raw: true }),
          'AUTH_REQUIRED',
        )
    },
  },
  {
    title: 'The parts of two sessions make no third one',
    requirement: 'callers: no valid session',
    // In the mock a cookie is a name, and such a name may be another persona's.
    mode: 'production',
    async play({ send, cookieOf }) {
      const [first, second] = [cookieOf('owner'), cookieOf('other-owner')]
      for (const at of [(cookie: string) => cookie.lastIndexOf('.'), ({ length }: string) => length >> 1]) {
        const spliced = first.slice(0, at(first)) + second.slice(at(second))
        expectError(await send({ ...list(), cookies: [spliced] }), 'AUTH_REQUIRED')
      }
    },
  },
  {
    title: 'A name that can be guessed is no session',
    requirement: 'modes: cookies',
    mode: 'production',
    async play({ send }) {
      for (const name of ['acme-owner', 'active', 'user-ada', 'org_acme'])
        expectError(await send({ ...list(), cookies: [`session=${name}`] }), 'AUTH_REQUIRED')
    },
  },
  {
    title: 'Of several session cookies, the only one that is valid counts',
    requirement: 'modes: cookies',
    async play({ send, cookieOf }) {
      for (const other of ['', 'unknown', '%E0%A4%A']) {
        expectStatus(await send({ ...list(), cookies: [`${cookieOf('owner')}; session=${other}`] }), 200)
        expectStatus(await send({ ...list(), cookies: [`session=${other}; ${cookieOf('owner')}`] }), 200)
      }
    },
  },
  {
    title: 'The session cookie is found among other cookies, and may be percent-encoded',
    requirement: 'modes: cookies',
    async play({ send, cookieOf }) {
      const cookie = cookieOf('owner')
      const many = Array.from({ length: 60 }, (_, i) => `c${i}=${'x'.repeat(40)}`).join('; ')
      for (const header of [
        `theme={"a b":[1]}; a=b=c; d="e"; none; =x; bad=%zz; ${cookie}; sessions=3`,
        `${many}; ${cookie}`,
        `theme=dark;;${cookie};a=b;`,
        `session=${percentEncoded(cookie.replace('session=', ''))}`,
      ])
        expectStatus(await send({ ...list(), cookies: [header] }), 200)
    },
  },
  {
    title: 'Names of headers may be in capitals, and a client may ask to go on',
    requirement: 'modes: cookies',
    write: true,
    async play({ send, cookieOf, newName }) {
      const headers = {
        Cookie: cookieOf('owner'),
        'Content-Type': 'application/json',
        Expect: '100-continue',
      }
      const bytes = JSON.stringify({ name: newName() })
      expectStatus(await send({ ...create(), bytes, type: null, headers, raw: true }), 201)
    },
  },
  {
    title: 'No other cookie chooses a team or grants a permission',
    requirement: 'responses: query parameters and headers are ignored',
    write: true,
    async play({ send, cookieOf, newName, newProject, bundleOf }) {
      const { id } = await newProject()
      const { teamId, organization } = await bundleOf('other-owner')
      const cookies = [
        `${cookieOf('viewer')}; team=${teamId}; teamId=${teamId}; orgCode=${organization.orgCode}; role=owner`,
        'admin=1; permissions=create:projects,update:projects',
      ]
      expectError(
        await send({ ...create('viewer', { name: newName() }), cookies, raw: true }),
        'INSUFFICIENT_PERMISSIONS',
      )
      expectError(await send({ ...update('viewer', id, {}), cookies, raw: true }), 'INSUFFICIENT_PERMISSIONS')
    },
  },
]
