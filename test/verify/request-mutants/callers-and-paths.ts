import { withRequestJson } from '../broken-server-proxy.js'
import {
  cookieOf,
  fieldsOf,
  get,
  isChange,
  type Misbehaviour,
  projectsFor,
  withCookie,
} from '../misbehaviours/misbehaviour.js'
import {
  allOperations,
  asCaller,
  both,
  changes,
  type Effect,
  editing,
  header,
  is,
  mutant,
  pathOf,
  reads,
  sessionOf,
  type When,
  withHeader,
  withStatus,
} from './request-mutant.js'

// Cookies, ids, paths and methods that a server takes for others.

/** The decoded text; the text as it is where it cannot be decoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const valueIn = (cookie: string) => cookie.replace('session=', '')

/** What a server takes for the owner's session. */
const takenForOwner: [what: string, matches: (sent: string, owner: string) => boolean][] = [
  ['in capitals', (sent, owner) => sent !== owner && sent.toLowerCase() === owner.toLowerCase()],
  ['with more behind it', (sent, owner) => sent !== owner && sent.startsWith(owner)],
  ['that is cut off', (sent, owner) => sent !== owner && sent.length > 3 && owner.startsWith(sent)],
  ['in quotes', (sent, owner) => sent === `"${owner}"`],
  ['after "Bearer"', (sent, owner) => /^Bearer( |%20)/.test(sent) && sent.endsWith(owner)],
  ['percent-encoded twice', (sent, owner) => sent.includes('%25') && decoded(decoded(sent)) === owner],
  ['with white space before it', (sent, owner) => sent !== owner && decoded(sent).trimStart() === owner],
  [
    'with one character changed',
    (sent, owner) =>
      sent.length === owner.length && [...sent].filter((char, i) => char !== owner[i]).length === 1,
  ],
]

const sessionNames = [
  'Session',
  'SESSION',
  'session_id',
  'sessionid',
  'sid',
  '__Host-session',
  '__Secure-session',
  'connect.sid',
  'token',
]

const callerMutants: Misbehaviour[] = [
  ...takenForOwner.map(([what, matches]) =>
    mutant(
      `a session cookie ${what} is accepted`,
      (request, context) => matches(sessionOf(request) ?? '', valueIn(context.cookieOf('acme-owner'))),
      asCaller('acme-owner'),
    ),
  ),
  ...sessionNames.map((name) =>
    mutant(
      `the cookie ${name} is a session`,
      (request, context) =>
        cookieOf(request)
          ?.split('; ')
          .includes(`${name}=${valueIn(context.cookieOf('acme-owner'))}`) ?? false,
      asCaller('acme-owner'),
    ),
  ),
  ...allOperations
    .filter((name) => name !== 'joinWaitlist')
    .map((operation) =>
      mutant(
        `${operation} takes a session from the body or nothing at all`,
        (request) => is(operation)(request) && cookieOf(request) === undefined,
        asCaller('acme-owner'),
      ),
    ),
  mutant(
    'a session in the body of a creation is accepted',
    (request) => is('createProject')(request) && 'session' in fieldsOf(request),
    asCaller('acme-owner'),
  ),
  mutant(
    'the waitlist refuses signed-in callers',
    (request, { cookieOf: of }) => is('joinWaitlist')(request) && cookieOf(request) === of('acme-owner'),
    withStatus(403),
  ),
  mutant(
    'the waitlist refuses expired sessions',
    (request, { cookieOf: of }) => is('joinWaitlist')(request) && cookieOf(request) === of('expired'),
    withStatus(401),
  ),
  ...(['no-team', 'no-organization'] as const).flatMap((persona) =>
    changes.map((operation) =>
      mutant(
        `${operation} of ${persona} goes to the first team`,
        (request, { cookieOf: of }) => is(operation)(request) && cookieOf(request) === of(persona),
        asCaller('acme-owner'),
      ),
    ),
  ),
  ...reads.flatMap((operation) =>
    (['no-team', 'no-organization', 'acme-viewer'] as const).map((persona) =>
      mutant(
        `${operation} of ${persona} has the other team's data`,
        (request, { cookieOf: of }) => is(operation)(request) && cookieOf(request) === of(persona),
        asCaller('globex-owner'),
      ),
    ),
  ),
  mutant(
    'every session of a team has the profile of its owner',
    (request, { cookieOf: of }) => is('getSession')(request) && cookieOf(request) === of('acme-member'),
    async (request, send, { cookieOf: of }) => send(withCookie(request, of('acme-owner'))),
  ),
]

/** What a server takes for the own project. */
const takenForOwn: [what: string, matches: (sent: string, own: string) => boolean][] = [
  ['in capitals', (sent, own) => sent !== own && sent.toLowerCase() === own],
  ['without its hyphens', (sent, own) => sent === own.replaceAll('-', '')],
  ['in braces', (sent, own) => sent === `{${own}}`],
  ['as a URN', (sent, own) => sent.toLowerCase() === `urn:uuid:${own}`],
  ['with a comma and another', (sent, own) => sent.startsWith(`${own},`)],
  ['with an extension', (sent, own) => sent.startsWith(`${own}.`)],
  ['with a matrix parameter', (sent, own) => sent.startsWith(`${own};`)],
  ['that is cut off', (sent, own) => sent.length > 7 && sent !== own && own.startsWith(sent)],
  [
    'with more behind it',
    (sent, own) => sent !== own && /^[0-9a-f]+$/.test(sent.slice(own.length)) && sent.startsWith(own),
  ],
  ['in quotes', (sent, own) => /^["'].*["']$/.test(sent) && sent.includes(own)],
  ['with a line break behind it', (sent, own) => sent === `${own}\n`],
  ['with a slash before it', (sent, own) => sent === `/${own}`],
  ['percent-encoded twice', (sent, own) => sent.includes('%') && decoded(sent) === own],
  ['with a plus sign before it', (sent, own) => sent === `+${own}`],
  ['of a pattern', (sent) => sent === '%' || sent === '_'.repeat(36) || sent === '*'],
  ['that is the name of the project', (sent) => sent === 'Mobile app'],
  ['that is the number of the project', (sent) => /^\d{1,2}$/.test(sent)],
  ['"latest"', (sent) => ['latest', 'first', 'me', 'current', 'default'].includes(sent)],
]

const idOf = (request: Parameters<When>[0]) => decoded(pathOf(request).slice('/v1/projects/'.length))

const idMutants: Misbehaviour[] = [
  ...takenForOwn.map(([what, matches]) =>
    mutant(
      `an id ${what} is accepted`,
      (request, { data }) => is('updateProject')(request) && matches(idOf(request), data.ownProject.id),
      (request, send, { data }) => send({ ...request, path: `/v1/projects/${data.ownProject.id}` }),
    ),
  ),
  mutant(
    'a percent-encoded id is unknown',
    (request, { data }) =>
      is('updateProject')(request) && pathOf(request).includes('%') && idOf(request) === data.ownProject.id,
    (request, send) => send({ ...request, path: '/v1/projects/unknown' }),
  ),
  mutant(
    'an id of more than 255 characters is an error',
    (request) => is('updateProject')(request) && idOf(request).length > 255,
    withStatus(500),
  ),
  mutant(
    'an id with a quote is an error',
    (request) => is('updateProject')(request) && idOf(request).includes("'"),
    withStatus(500),
  ),
  mutant(
    'an id with U+0000 is an error',
    (request) => is('updateProject')(request) && idOf(request).includes('\0'),
    withStatus(500),
  ),
  mutant(
    "another team's id with no changes tells that it exists",
    (request, { data }) =>
      is('updateProject')(request) &&
      idOf(request) === data.foreignProject.id &&
      Object.keys(fieldsOf(request)).length === 0,
    withHeader('x-exists', 'yes'),
  ),
  mutant(
    "another team's id has another header",
    (request, { data, cookieOf: of }) =>
      is('updateProject')(request) &&
      idOf(request) === data.foreignProject.id &&
      cookieOf(request) === of('acme-owner'),
    withHeader('x-known', '1'),
  ),
  mutant(
    "a taken name in another team's project is 409",
    (request, { data, cookieOf: of }) =>
      is('updateProject')(request) &&
      idOf(request) === data.foreignProject.id &&
      cookieOf(request) === of('acme-owner') &&
      'name' in fieldsOf(request),
    withStatus(409),
  ),
]

const pathRules: [what: string, rewrite: (path: string) => string][] = [
  ['a slash at the end', (path) => path.replace(/(?<=\w)\/$/, '')],
  ['an encoded slash at the end', (path) => path.replace(/%2F$/i, '')],
  ['a dot at the end', (path) => path.replace(/(?<=[a-z])\.$/, '')],
  ['white space at the end', (path) => path.replace(/(?<=[a-z])%20$/, '')],
  ['U+0000 at the end', (path) => path.replace(/(?<=[a-z])%00$/, '')],
  ['an extension', (path) => path.replace(/\.(json|xml|html)$/, '')],
  ['a matrix parameter', (path) => path.replace(/(?<=[a-z]);[^/]*$/, '')],
  ['capitals', (path) => path.replace(/^\/v1\/(?!projects\/)[^%]*$/i, (all) => all.toLowerCase())],
  ['a capital V', (path) => path.replace(/^\/V1/, '/v1')],
  ['two slashes at the start', (path) => path.replace(/^\/\/v1/, '/v1')],
  ['two slashes in it', (path) => path.replace(/^\/v1\/\//, '/v1/')],
  ['another version', (path) => path.replace(/^\/v[02]\//, '/v1/')],
  ['the prefix twice', (path) => path.replace(/^\/v1\/v1\//, '/v1/')],
  ['the singular', (path) => path.replace(/^\/v1\/project$/, '/v1/projects')],
  ['a double encoding', (path) => path.replace(/%2570/, 'p')],
  ['a version with a dot', (path) => path.replace(/^\/v1\.0\//, '/v1/')],
]

const pathMutants: Misbehaviour[] = [
  ...pathRules.map(([what, rewrite]) => {
    const rewritten = (request: Parameters<When>[0]) => {
      const path = pathOf(request)
      return path.startsWith('/v') || path.startsWith('/V') || path.startsWith('//') ? rewrite(path) : path
    }
    return mutant(
      `paths are known with ${what}`,
      (request) => rewritten(request) !== pathOf(request),
      (request, send) => send({ ...request, path: rewritten(request) }),
    )
  }),
  mutant(
    'there is an operation that nobody knows',
    (request) => pathOf(request) === '/v1/secret-reports',
    withStatus(200),
    {
      notCaught: 'The paths that a service could have more than those of section 4 cannot be counted.',
    },
  ),
]

const method =
  (name: string, path: RegExp): When =>
  (request) =>
    request.method === name && path.test(pathOf(request))
const v1 = /^\/v1\/(projects|auth\/me|waitlist)$/
const project = /^\/v1\/projects\/[^/]+$/

const methodMutants: Misbehaviour[] = [
  ...(['OPTIONS', 'DELETE', 'PUT', 'PATCH', 'POST', 'HEAD', 'TRACE', 'PROPFIND'] as const).flatMap((name) =>
    [v1, ...(name === 'PATCH' ? [] : [project])].map((path, i) =>
      mutant(
        `${name} of a ${i ? 'project' : 'path'} is 204`,
        both(method(name, path), isOtherMethod),
        async (request, send) => ({ ...(await send(request)), status: 204, text: '' }),
      ),
    ),
  ),
  mutant('TRACE is echoed', method('TRACE', /./), async (request, send) => ({
    ...(await send(request)),
    status: 200,
    headers: { 'content-type': 'message/http' },
    text: request.headers.map((pair) => pair.join(': ')).join('\r\n'),
  })),
  mutant('sign-out works by GET', method('GET', /^\/auth\/sign-out$/), (request, send) =>
    send({ ...request, method: 'POST' }),
  ),
  mutant('OPTIONS has no Allow', method('OPTIONS', /^\/v1\//), withHeader('allow')),
  mutant('HEAD of the list is 200 for everybody', method('HEAD', /^\/v1\/projects$/), withStatus(200)),
  mutant('HEAD of the bundle is 404', method('HEAD', /^\/v1\/auth\/me$/), withStatus(404)),
]

function isOtherMethod(request: Parameters<When>[0]): boolean {
  return ![...allOperations].some((operation) => is(operation)(request))
}

const evil: When = (request) =>
  /evil|null|attacker/.test(header(request, 'origin') ?? '') ||
  header(request, 'sec-fetch-site') === 'cross-site'
const withoutOrigin: Effect = (request, send) =>
  send({
    ...request,
    headers: request.headers.filter(([name]) => !/^(origin|sec-fetch-.*|referer)$/i.test(name)),
  })
const changing = [...changes, 'joinWaitlist'] as const

const originMutants: Misbehaviour[] = [
  ...changing.flatMap((operation) => [
    mutant(`${operation} of another site is run`, both(is(operation), evil), withoutOrigin),
    mutant(
      `${operation} of the origin "null" is run`,
      both(is(operation), (request) => header(request, 'origin') === 'null'),
      withoutOrigin,
    ),
    mutant(
      `${operation} of another site is run without Origin`,
      both(
        is(operation),
        (request) => header(request, 'sec-fetch-site') === 'cross-site' && !header(request, 'origin'),
      ),
      withoutOrigin,
    ),
    mutant(
      `${operation} is refused with an error form of its own for another site`,
      both(is(operation), evil),
      async (request, send) => ({ ...(await send(request)), text: '{"message":"no"}' }),
    ),
  ]),
  ...allOperations.map((operation) =>
    mutant(`${operation} reflects the origin`, both(is(operation), evil), async (request, send) => {
      const response = await send(request)
      return {
        ...response,
        headers: {
          ...response.headers,
          'access-control-allow-origin': header(request, 'origin') ?? '*',
          'access-control-allow-credentials': 'true',
        },
      }
    }),
  ),
  ...reads.map((operation) =>
    mutant(`${operation} is refused for another site`, both(is(operation), evil), withStatus(403)),
  ),
  mutant(
    'a preflight request of another site is allowed',
    both(evil, ({ method: name }) => name === 'OPTIONS'),
    async (request, send) => {
      const response = await send(request)
      return {
        ...response,
        status: 204,
        text: '',
        headers: { ...response.headers, 'access-control-allow-origin': header(request, 'origin') ?? '*' },
      }
    },
  ),
  mutant('sign-out of another site is run', both(evil, method('POST', /^\/auth\/sign-out$/)), withoutOrigin),
  mutant(
    'every response allows all origins',
    (request) => pathOf(request).startsWith('/v1/'),
    withHeader('access-control-allow-origin', '*'),
  ),
]

const effectsOfRequests: Misbehaviour[] = [
  mutant(
    'a refused creation is stored',
    (request, { cookieOf: of }) => is('createProject')(request) && cookieOf(request) === of('acme-viewer'),
    async (request, send, { cookieOf: of }) => {
      await send(withCookie(request, of('acme-owner')))
      return send(request)
    },
  ),
  mutant(
    'a refused update is stored',
    (request, { cookieOf: of }) => is('updateProject')(request) && cookieOf(request) === of('acme-viewer'),
    async (request, send, { cookieOf: of }) => {
      await send(withCookie(request, of('acme-owner')))
      return send(request)
    },
  ),
  mutant(
    'an update with a taken name stores its other fields',
    (request) =>
      is('updateProject')(request) &&
      'name' in fieldsOf(request) &&
      Object.keys(fieldsOf(request)).length > 1,
    async (request, send) => {
      const response = await send(request)
      const { name: _, ...others } = fieldsOf(request)
      if (response.status === 409) await send(withRequestJson(request, others))
      return response
    },
  ),
  mutant(
    'an update without session is stored',
    (request) => is('updateProject')(request) && cookieOf(request) === undefined,
    async (request, send, { cookieOf: of }) => {
      await send(withCookie(request, of('acme-owner')))
      return send(request)
    },
  ),
  mutant(
    'a read of the list marks the first project as seen',
    is('listProjects'),
    async (request, send, { cookieOf: of }) => {
      const response = await send(request)
      const [first] = await projectsFor(withCookie(request, of('acme-owner')), send)
      if (first) {
        await send({
          ...withRequestJson(get(withCookie(request, of('acme-owner')), `/v1/projects/${first.id}`), {
            status: 'seen',
          }),
          method: 'PATCH',
          headers: [
            ['cookie', of('acme-owner')],
            ['content-type', 'application/json'],
          ],
        })
      }
      return response
    },
  ),
  mutant(
    'bundles have the names of projects cut',
    is('getSession'),
    editing((json) => ({
      ...json,
      projects: Array.isArray(json.projects)
        ? json.projects.map((each) => ({ ...each, name: String(each.name).slice(0, 60) }))
        : json.projects,
    })),
  ),
  mutant(
    'descriptions and statuses of a change are answered as sent, not as stored',
    isChange,
    (request, send) => send(request),
    {
      notCaught: 'It is the same as long as texts are stored as sent.',
    },
  ),
]

export const callerAndPathMutants: Misbehaviour[] = [
  ...callerMutants,
  ...idMutants,
  ...pathMutants,
  ...methodMutants,
  ...originMutants,
  ...effectsOfRequests,
]
