import {
  jsonOf,
  type ProxyRequest,
  type ProxyResponse,
  withJson,
  withRequestJson,
} from '../broken-server-proxy.js'
import {
  cookieOf,
  fieldsOf,
  type Misbehaviour,
  nameTaken,
  type Project,
  projectsFor,
  text,
  withText,
} from '../misbehaviours/misbehaviour.js'
import {
  both,
  editing,
  header,
  is,
  isChange,
  isRead,
  mutant,
  onProject,
  onProjects,
  pathOf,
  sends,
  stateful,
  type When,
  withHeader,
  withStatus,
} from './request-mutant.js'

// Faults that were listed after the others: of caches, conditional requests, encodings, case mapping, and browsers.

const isHead = (request: ProxyRequest) => request.method === 'HEAD'
const keysOf = (request: ProxyRequest) => Object.keys(fieldsOf(request))
const known = ['name', 'description', 'status']
/** Drops the unknown properties that meet a condition. */
const drops = (what: string, isDropped: (key: string, value: unknown) => boolean) =>
  mutant(
    what,
    both(isChange, (request) =>
      Object.entries(fieldsOf(request)).some(([key, value]) => !known.includes(key) && isDropped(key, value)),
    ),
    (request, send) =>
      send(
        withRequestJson(
          request,
          Object.fromEntries(
            Object.entries(fieldsOf(request)).filter(
              ([key, value]) => known.includes(key) || !isDropped(key, value),
            ),
          ),
        ),
      ),
  )
const emails = (pattern: RegExp): When =>
  both(is('joinWaitlist'), (request) => pattern.test(String(fieldsOf(request).email)))
const refused = (request: ProxyRequest) => withRequestJson(request, { email: '' })
const refusesEmails = (what: string, pattern: RegExp) =>
  mutant(`addresses with ${what} are refused by the later rule`, emails(pattern), (request, send) =>
    send(refused(request)),
  )

/** A server that compares names by another key: what it takes for different can be created beside each other. */
const comparesNames = (what: string, keyOf: (name: string) => string) =>
  mutant(what, is('createProject'), async (request, send) => {
    const response = await send(request)
    const { name } = fieldsOf(request)
    if (response.status !== 409 || typeof name !== 'string') return response
    const isTaken = (await projectsFor(request, send)).some((project) => keyOf(project.name) === keyOf(name))
    if (isTaken) return response
    const other = await send(withRequestJson(request, { ...fieldsOf(request), name: `${name}\u2063` }))
    return withJson(other, { project: { ...Object(jsonOf(other)).project, name } })
  })
const folded = (name: string) => name.normalize().toLowerCase().toUpperCase().toLowerCase()
/** Compares names of some letters with their case. */
const exceptFor = (letters: RegExp) => (name: string) => (letters.test(name) ? name : folded(name))

/** A server that answers a request again as it has answered the first with the same key. */
const repeats = (what: string, when: When, keyOf: (request: ProxyRequest) => string | undefined) =>
  stateful(what, when, () => {
    const first = new Map<string, ProxyResponse>()
    return async (request, send) => {
      const key = when(request, undefined as never) ? keyOf(request) : undefined
      const earlier = key === undefined ? undefined : first.get(key)
      if (earlier) return earlier
      const response = await send(request)
      if (key !== undefined && response.status < 300) first.set(key, response)
      return response
    }
  })

const ofHeaders: Misbehaviour[] = [
  mutant('an update with If-Match is 412', both(is('updateProject'), sends('if-match')), withStatus(412)),
  mutant('a list with If-Modified-Since is 304', both(isRead, sends('if-modified-since')), withStatus(304)),
  mutant('a prefetch is refused', sends('sec-purpose'), withStatus(503)),
  mutant('a prefetch has no content', sends('purpose', /prefetch/), withStatus(204)),
  mutant(
    'a creation with Content-Language is 415',
    both(isChange, sends('content-language')),
    withStatus(415),
  ),
  mutant('HEAD may be stored by caches', isHead, withHeader('cache-control', 'private, max-age=5')),
  mutant('errors may be stored by caches', isRead, async (request, send, context) => {
    const response = await send(request)
    return response.status < 400
      ? response
      : withHeader('cache-control', 'max-age=1')(request, async () => response, context)
  }),
  mutant(
    'every response of a read allows credentials',
    isRead,
    withHeader('access-control-allow-credentials', 'true'),
  ),
  mutant('every response exposes headers', isChange, withHeader('access-control-expose-headers', '*')),
  mutant(
    'a 401 clears the site data',
    (request) => cookieOf(request) === undefined,
    withHeader('clear-site-data', '"cookies"'),
  ),
  mutant('a read extends the session', isRead, withHeader('set-cookie', 'session=longer; Path=/; HttpOnly')),
  mutant(
    'an unknown path clears the session',
    (request) => pathOf(request) === '/v1/nothing',
    withHeader('set-cookie', 'session=; Max-Age=0'),
  ),
  mutant('a response names the cookie that it was for', isRead, async (request, send, context) =>
    withHeader('x-cache-key', cookieOf(request) ?? 'none')(request, send, context),
  ),
  mutant(
    'JSON is sent with a charset in capitals',
    is('getSession'),
    withHeader('content-type', 'application/json; charset=UTF-16'),
  ),
  repeats('a creation with the same Idempotency-Key is answered again', is('createProject'), (request) =>
    header(request, 'idempotency-key'),
  ),
  repeats('a list with the same If-None-Match is answered again', is('listProjects'), (request) =>
    header(request, 'if-none-match'),
  ),
]

const ofBodies: Misbehaviour[] = [
  drops('unknown properties that begin with a dollar are ignored', (key) => key.startsWith('$')),
  drops('unknown properties that begin with x- are ignored', (key) => key.startsWith('x-')),
  drops('unknown properties that begin with an at sign are ignored', (key) => key.startsWith('@')),
  drops('unknown properties that are empty texts are ignored', (_, value) => value === ''),
  drops('unknown properties that are false are ignored', (_, value) => value === false),
  drops(
    'unknown properties that are empty lists are ignored',
    (_, value) => Array.isArray(value) && value.length === 0,
  ),
  mutant(
    'of duplicate keys one that is valid counts',
    (request) => request.method !== 'GET' && /("\w+":)"[^"]+",\s*\1\s*\d/.test(text(request.body)),
    (request, send) => send(withText(request, text(request.body).replace(/,\s*"\w+":\s*\d+/, ''))),
  ),
  mutant(
    'an empty body in chunks is an empty object',
    both(is('updateProject'), (request) => request.chunked && !request.body?.length),
    (request, send) => send(withText({ ...request, chunked: false }, '{}')),
  ),
  refusesEmails('a label of more than 63 characters', /@.*[^.]{64}/),
  refusesEmails('a dot at the end', /\.$/),
  refusesEmails('a hyphen at the end of a label', /-(\.|$)/),
]

const ofNames: Misbehaviour[] = [
  comparesNames('names are compared as in Turkish', (name) => name.toLocaleLowerCase('tr')),
  comparesNames('Georgian letters are compared with case', exceptFor(/[\u10a0-\u10ff\u1c90-\u1cbf]/)),
  comparesNames('Cherokee letters are compared with case', exceptFor(/[\u13a0-\u13ff\uab70-\uabbf]/)),
  comparesNames('Roman numerals are compared with case', exceptFor(/[\u2160-\u217f]/)),
  comparesNames('letters in circles are compared with case', exceptFor(/[\u24b6-\u24e9]/)),
  comparesNames(
    'the end of a long name is compared with case',
    (name) => folded(name.slice(0, 100)) + name.slice(100),
  ),
]

const ofState: Misbehaviour[] = [
  stateful('the second of two equal updates is refused', is('updateProject'), () => {
    let last = ''
    return async (request, send) => {
      const key = `${request.path} ${text(request.body)}`
      const isAgain = is('updateProject')(request) && key === last
      last = is('updateProject')(request) ? key : last
      const response = await send(request)
      return isAgain && response.status === 200 ? { ...response, status: 409 } : response
    }
  }),
  stateful('a project that was updated comes first in the list', isRead, () => {
    let newest: string | undefined
    return async (request, send) => {
      const response = await send(request)
      if (is('updateProject')(request) && response.status === 200)
        newest = (Object(jsonOf(response)).project as Project).id
      if (!is('listProjects')(request) || isHead(request)) return response
      return onProjects((projects) =>
        [...projects].sort((a, b) => Number(b.id === newest) - Number(a.id === newest)),
      )(request, async () => response, undefined as never)
    }
  }),
  mutant(
    'the bundle of a large team has no projects',
    is('getSession'),
    editing((json) => ({
      ...json,
      projects: (json.projects as object[]).length > 150 ? [] : json.projects,
    })),
  ),
  mutant(
    'a new project in another time zone has its offset',
    both(is('createProject'), sends('x-timezone')),
    onProject((project) => ({ ...project, createdAt: project.createdAt.replace('Z', '+00:00') })),
  ),
  mutant(
    'backslashes are slashes',
    (request) => request.path.includes('\\'),
    (request, send) => send({ ...request, path: request.path.replaceAll('\\', '/') }),
  ),
  mutant(
    'dot segments before an id are removed',
    (request) => /\/projects\/\.{1,2}\/./.test(request.path),
    (request, send) => send({ ...request, path: request.path.replace(/\/\.{1,2}\//, '/') }),
  ),
  stateful('a name is free while another creation of it runs', is('createProject'), () => {
    let running = 0
    return async (request, send) => {
      if (!is('createProject')(request)) return send(request)
      running += 1
      try {
        const response = await send(request)
        return response.status === 409 && running > 3
          ? withJson({ ...response, status: 500 }, jsonOf(response))
          : response
      } finally {
        running -= 1
      }
    }
  }),
  mutant(
    'keys of a body may have spaces around',
    both(isChange, (request) => keysOf(request).some((key) => key !== key.trim())),
    (request, send) =>
      send(
        withRequestJson(
          request,
          Object.fromEntries(Object.entries(fieldsOf(request)).map(([key, value]) => [key.trim(), value])),
        ),
      ),
  ),
  mutant(
    'a taken name is found in other teams by its case',
    both(
      is('createProject'),
      (request, { cookieOf: of }) =>
        cookieOf(request) === of('globex-owner') && /^\d+ [A-Z]+$/.test(String(fieldsOf(request).name)),
    ),
    nameTaken,
  ),
]

export const laterFaults: Misbehaviour[] = [...ofHeaders, ...ofBodies, ...ofNames, ...ofState]
