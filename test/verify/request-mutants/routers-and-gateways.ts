import type { ProxyRequest } from '../broken-server-proxy.js'
import { cookieOf, type Misbehaviour, projectsFor } from '../misbehaviours/misbehaviour.js'
import { atPath, idOf, isCreate, isList, isSignUp, isUpdate, path, refuse, reply } from './replies.js'
import {
  both,
  editing,
  header,
  is,
  isChange,
  isRead,
  mutant,
  onProjects,
  pathOf,
  query,
  sends,
  type When,
  withHeader,
  withStatus,
} from './request-mutant.js'

// What routers, gateways and caches before a service do with paths, methods, query strings and headers.

const method =
  (pattern: RegExp): When =>
  ({ method }) =>
    pattern.test(method)
const asks =
  (...names: string[]): When =>
  (request) =>
    names.some((name) => query(request).has(name))
const idMatches =
  (pattern: RegExp): When =>
  (request) =>
    isUpdate(request) && pattern.test(idOf(request))
const withId = (edit: (id: string) => string) => atPath((path) => path.replace(/[^/]*$/, edit))
const notFound = refuse(404, 'NOT_FOUND')

export const routersAndGateways: Misbehaviour[] = [
  mutant(
    'a slash at the end of a path is removed',
    path(/.\/$/),
    atPath((path) => path.replace(/\/+$/, '')),
  ),
  mutant(
    'slashes are merged',
    path(/\/\//),
    atPath((path) => path.replace(/\/+/g, '/')),
  ),
  mutant(
    'paths are compared without case',
    path(/^\/v1\/.*[A-Z]|^\/V1/),
    atPath((path) => path.toLowerCase()),
  ),
  mutant(
    'an extension of a path names its format',
    path(/\.(json|xml)$/),
    atPath((path) => path.replace(/\.\w+$/, '')),
  ),
  mutant(
    'matrix parameters are removed from paths',
    path(/;/),
    atPath((path) => path.replace(/;[^/?]*/g, '')),
  ),
  mutant(
    'dot segments are removed from paths',
    path(/\/\.\.?(\/|$)/),
    atPath((path) => path.replace(/\/\.(?=\/|$)/g, '').replace(/\/[^/]*\/\.\.(?=\/|$)/g, '')),
  ),
  mutant(
    'encoded dot segments are removed from paths',
    path(/%2e/i),
    atPath((path) =>
      path
        .replace(/%2e/gi, '.')
        .replace(/\/\.(?=\/|$)/g, '')
        .replace(/\/[^/]*\/\.\.(?=\/|$)/g, ''),
    ),
  ),
  mutant(
    'a backslash is a slash',
    path(/\\|%5c/i),
    atPath((path) => path.replace(/\\|%5c/gi, '/')),
  ),
  mutant('an encoded slash divides a path', path(/%2f/i), notFound),
  mutant('paths are decoded twice', path(/%25/), atPath(decodeURIComponent)),
  mutant('an encoded letter in a path is another letter', path(/%[46]\d|%7\d/i), notFound),
  mutant('a plus in an id is a blank', idMatches(/\+/), refuse(400, 'EMPTY_QUERY_FILTER')),
  mutant(
    'blanks around an id are removed',
    idMatches(/^%20|%20$/),
    withId((id) => id.replaceAll('%20', '')),
  ),
  mutant(
    'tabs and line breaks around an id are removed',
    idMatches(/%0[9ad]/i),
    withId((id) => id.replace(/%0[9ad]/gi, '')),
  ),
  mutant(
    'ids are compared without case',
    idMatches(/[A-F]/),
    withId((id) => id.toLowerCase()),
  ),
  mutant(
    'an id without dashes is the same UUID',
    idMatches(/^[\da-f]{32}$/),
    withId((id) => id.replace(/(.{8})(.{4})(.{4})(.{4})(.*)/, '$1-$2-$3-$4-$5')),
  ),
  mutant(
    'an id in braces is the same UUID',
    idMatches(/^(\{|%7b)/i),
    withId((id) => id.replace(/\{|\}|%7[bd]/gi, '')),
  ),
  mutant('an id that is no UUID is 422', idMatches(/^(?![\da-f-]{36}$)[\w-]+$/), refuse(422)),
  mutant('an id of digits is 422', idMatches(/^-?\d+$/), refuse(422)),
  mutant('an id with U+0000 is 500, as over PostgreSQL', idMatches(/%00/), refuse(500, 'INTERNAL_ERROR')),
  mutant('an id that is no UTF-8 is 400', idMatches(/%(zz|ff|c3$)/i), refuse(400)),
  mutant('an id of more than 100 characters is 414', idMatches(/^.{101}/), refuse(414)),
  mutant('an id that is not ASCII is 400', idMatches(/%[c-f]/i), refuse(400)),
  mutant('the id me or new is another path', idMatches(/^(me|new|search|count|export)$/), notFound),
  mutant('an id with a percent sign alone is 400', idMatches(/%(?![\da-f]{2})/i), refuse(400)),
  mutant('HEAD is 405', method(/^HEAD$/), withStatus(405)),
  mutant('HEAD needs no session', method(/^HEAD$/), withStatus(200)),
  mutant('OPTIONS is 200 with Allow', method(/^OPTIONS$/), withStatus(200)),
  mutant('PUT updates', both(method(/^PUT$/), path(/^\/v1\/projects\/./)), (request, send) =>
    send({ ...request, method: 'PATCH' }),
  ),
  {
    ...mutant('a method in lower case is accepted', method(/[a-z]/), (request, send) =>
      send({ ...request, method: request.method.toUpperCase() }),
    ),
    notCaught: 'A client of Node sends methods in capitals.',
  },
  mutant('DELETE of a project is 404', both(method(/^DELETE$/), path(/^\/v1\/projects\/./)), notFound),
  mutant('GET of a project is 404', both(method(/^GET$/), path(/^\/v1\/projects\/./)), notFound),
  mutant(
    'a method that is not registered is 501',
    method(/^(?!GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT)/),
    refuse(501, 'METHOD_NOT_ALLOWED'),
  ),
  mutant('GET of the waitlist is 404', both(method(/^GET$/), path(/waitlist/)), notFound),
  mutant('PATCH of the list is 404', both(method(/^PATCH$/), path(/^\/v1\/projects$/)), notFound),
  mutant(
    'POST to a project updates it',
    both(method(/^POST$/), path(/^\/v1\/projects\/./)),
    (request, send) => send({ ...request, method: 'PATCH' }),
  ),
  mutant('405 of the session has no Allow', path(/^\/v1\/auth\/me$/), async (request, send, context) => {
    const response = await send(request)
    return response.status === 405 ? withHeader('allow')(request, async () => response, context) : response
  }),
  mutant('a _method in the query is the method', asks('_method'), (request, send) =>
    send({ ...request, method: (query(request).get('_method') ?? '').toUpperCase() }),
  ),
  mutant(
    'X-Method-Override is the method',
    both(sends('x-method-override'), method(/^POST$/)),
    (request, send) => send({ ...request, method: header(request, 'x-method-override') ?? '' }),
  ),
  mutant(
    'a query string of more than 1,024 characters is 414',
    ({ path }) => path.length > 1024,
    refuse(414),
  ),
  mutant(
    'a limit in the query holds',
    both(isList, asks('limit', '$limit', '_limit', '$top', 'per_page', 'page_size', 'pageSize', 'first')),
    onProjects((all) => all.slice(0, 1)),
  ),
  mutant(
    'take and skip hold, as by Prisma',
    both(isList, asks('take', 'skip')),
    onProjects((all) => all.slice(0, 1)),
  ),
  mutant(
    'an offset holds',
    both(isList, asks('offset', 'page', 'page[number]', 'cursor', 'after', '$skip')),
    onProjects(() => []),
  ),
  mutant(
    'select holds, as by PostgREST',
    both(isList, asks('select', '$select', 'fields', 'fields[projects]')),
    onProjects((all) => all.map(({ id }) => ({ id }) as never)),
  ),
  mutant(
    'an order in the query holds',
    both(isList, asks('order', 'sort', 'ordering', '$orderby', 'orderBy', 'sort_by')),
    onProjects((all) => all.toReversed()),
  ),
  mutant(
    'a filter by a column holds, as by PostgREST',
    both(isList, asks('name', 'id', 'status')),
    onProjects(() => []),
  ),
  mutant(
    'a search holds',
    both(isList, asks('q', 'search', 'query', 'filter', '$filter', 'where')),
    onProjects(() => []),
  ),
  mutant(
    'an operator in the query is 400',
    (request) => [...query(request).keys()].some((key) => /[[\]$]/.test(key)),
    refuse(400),
  ),
  mutant('a callback wraps the response', asks('callback', 'jsonp'), async (request, send) => {
    const response = await send(request)
    return { ...response, text: `/**/cb(${response.text})` }
  }),
  mutant('format=xml is 406', asks('format', '_format', 'alt'), refuse(406)),
  mutant(
    'a query that cannot be decoded is 400',
    ({ path }) => /\?.*%(?![\da-f]{2})/i.test(path),
    refuse(400),
  ),
  mutant(
    'a key that is twice in the query is 400',
    (request) => new Set(query(request).keys()).size < [...query(request).keys()].length,
    refuse(400),
  ),
  mutant(
    'a query on a creation is 400',
    both(isCreate, ({ path }) => path.includes('?')),
    refuse(400),
  ),
  mutant(
    'fields of the query are merged into the body of a sign-up',
    both(isSignUp, asks('email')),
    reply(200, { status: 'ok' }),
  ),
  mutant(
    'an Accept for HTML gives the page of the browsable API',
    both(isRead, sends('accept', /text\/html/)),
    withHeader('content-type', 'text/html; charset=utf-8'),
  ),
  mutant('an Accept without JSON is 406', sends('accept', /^(?!.*(json|\*\/\*)).+/), refuse(406)),
  mutant('a version in Accept is 406', sends('accept', /version=|vnd\./), refuse(406)),
  mutant(
    'without an Accept header a read is 406',
    (request) => isRead(request) && header(request, 'accept') === undefined,
    refuse(406),
  ),
  mutant('If-None-Match with a star is 304', both(isRead, sends('if-none-match', /\*/)), withStatus(304)),
  mutant('If-Modified-Since in the future is 304', both(isRead, sends('if-modified-since')), withStatus(304)),
  mutant('If-Match is 412', both(isChange, sends('if-match')), refuse(412)),
  mutant('If-Unmodified-Since is 412', both(isChange, sends('if-unmodified-since')), refuse(412)),
  mutant('a range of items is 206', both(isList, sends('range')), withStatus(206)),
  mutant(
    'Prefer: return=minimal leaves out the body',
    both(isChange, sends('prefer', /return=minimal/)),
    async (request, send) => ({ ...(await send(request)), text: '' }),
    { mode: 'production' },
  ),
  mutant(
    'only-if-cached is 504',
    sends('cache-control', /only-if-cached/),
    refuse(504, 'SERVICE_UNAVAILABLE'),
  ),
  mutant('X-Rewrite-URL is the path', sends('x-rewrite-url'), (request, send) =>
    send({ ...request, path: header(request, 'x-rewrite-url') ?? '' }),
  ),
  mutant('the User-Agent of a script is refused', sends('user-agent', /curl|python|sqlmap/i), refuse(403)),
  mutant(
    'a request without a User-Agent is refused',
    (request) => isChange(request) && header(request, 'user-agent') === undefined,
    refuse(403),
  ),
  mutant(
    'a firewall refuses SQL',
    (request) =>
      isChange(request) &&
      /union\s+select|or 1\s*=\s*1|drop table|';|--/i.test(new TextDecoder().decode(request.body)),
    refuse(403),
  ),
  mutant(
    'a firewall refuses tags of scripts',
    (request) =>
      isChange(request) && /<script|javascript:|onerror=/i.test(new TextDecoder().decode(request.body)),
    refuse(403),
  ),
  mutant(
    'a firewall refuses paths to files',
    (request) => isChange(request) && /\.\.\/|etc\/passwd/i.test(new TextDecoder().decode(request.body)),
    refuse(403),
  ),
  mutant(
    'a firewall refuses look-ups of log4j',
    (request) => /\$\{/.test(new TextDecoder().decode(request.body)),
    refuse(403),
  ),
  mutant(
    'Save-Data shortens the list',
    both(isList, sends('save-data')),
    onProjects((all) => all.slice(0, 1)),
  ),
  mutant(
    'X-HTTP-Method-Override of a list is 405',
    both(isList, sends('x-http-method-override')),
    refuse(405, 'METHOD_NOT_ALLOWED'),
  ),
  mutant('X-Forwarded-Host is the host of docsUrl', sends('x-forwarded-host'), async (request, send) => {
    const response = await send(request)
    return {
      ...response,
      text: response.text.replace(
        /"docsUrl":"https?:\/\/[^/]*/,
        `"docsUrl":"https://${header(request, 'x-forwarded-host')}`,
      ),
    }
  }),
  mutant('X-Forwarded-Proto redirects', sends('x-forwarded-proto', /^http$/), withStatus(308)),
  mutant(
    'a preview of deployments wraps answers',
    both(isRead, asks('envelope', '_envelope')),
    editing((json) => ({ data: json })),
  ),
  mutant(
    'what follows an id is ignored',
    path(/^\/v1\/projects\/[^/]+\/.+/),
    atPath((p) => p.replace(/^(\/v1\/projects\/[^/]+)\/.*/, '$1')),
  ),
  mutant(
    'what follows the session is ignored',
    path(/^\/v1\/auth\/me\/.+/),
    atPath(() => '/v1/auth/me'),
  ),
  mutant(
    'what follows the waitlist is ignored',
    path(/^\/v1\/waitlist\/.+/),
    atPath(() => '/v1/waitlist'),
  ),
  mutant(
    'the prefix is optional',
    path(/^\/(projects|auth|waitlist)/),
    atPath((p) => `/v1${p}`),
  ),
  mutant(
    'any version is the first',
    path(/^\/v[02-9]/),
    atPath((p) => p.replace(/^\/v\d+/, '/v1')),
  ),
  {
    ...mutant(
      'a prefix /api is accepted',
      path(/^\/api\//),
      atPath((p) => p.slice(4)),
    ),
    notCaught: 'A service may be mounted below a prefix too.',
  },
  mutant(
    'the path of a list may go on',
    path(/^\/v1\/projects[^/]/),
    atPath(() => '/v1/projects'),
  ),
  mutant(
    'an unknown path needs a session',
    (request) =>
      !cookieOf(request) &&
      is('')(request) === false &&
      !/^\/v1\/(projects|auth\/me|waitlist)/.test(pathOf(request)) &&
      pathOf(request).startsWith('/v1/'),
    refuse(401, 'AUTH_REQUIRED'),
  ),
  mutant(
    'a method that is not allowed needs a session',
    (request) =>
      !cookieOf(request) && /^(PUT|DELETE)$/.test(request.method) && /^\/v1\/projects/.test(pathOf(request)),
    refuse(401, 'AUTH_REQUIRED'),
  ),
  mutant(
    'an unknown path with a bad body is 415',
    (request) => !/^\/v1\/(projects|auth\/me|waitlist)/.test(pathOf(request)) && request.body !== undefined,
    refuse(415),
  ),
  mutant('Allow of the list has no POST', path(/^\/v1\/projects$/), async (request, send, context) => {
    const r = await send(request)
    return r.status === 405 ? withHeader('allow', 'GET, HEAD')(request, async () => r, context) : r
  }),
  mutant('Allow of a project has PUT', path(/^\/v1\/projects\/./), async (request, send, context) => {
    const r = await send(request)
    return r.status === 405 ? withHeader('allow', 'PATCH, PUT')(request, async () => r, context) : r
  }),
  mutant(
    'a question mark that is encoded begins the query',
    ({ path }) => /%3f/i.test(pathOf({ path } as ProxyRequest)),
    atPath((path) => path.replace(/%3f/i, '?')),
  ),
  mutant(
    'a number sign that is encoded ends the path',
    ({ path }) => /%23/.test(pathOf({ path } as ProxyRequest)),
    atPath((path) => path.replace(/%23.*/, '')),
  ),
  mutant(
    'an encoded blank at the end of a path is removed',
    ({ path }) => /\w%20$/.test(pathOf({ path } as ProxyRequest)),
    atPath((path) => path.replace(/%20$/, '')),
  ),
  mutant(
    'what follows U+0000 in a path is cut',
    ({ path }) => /%00/.test(path),
    atPath((path) => path.replace(/%00.*/, '')),
  ),
  mutant(
    'a path with letters that are encoded is unknown',
    (request) => /^\/v1\/.*%[67]/i.test(pathOf(request)) && !isUpdate(request),
    refuse(404, 'NOT_FOUND'),
  ),
  mutant(
    'an id that is encoded is unknown',
    both(isUpdate, (request) => /%[2-7]\d/i.test(idOf(request))),
    async (request, send, context) => {
      const r = await send(request)
      return r.status === 200 ? refuse(404, 'PROJECT_NOT_FOUND')(request, send, context) : r
    },
  ),
  mutant('a prefix of an id is enough', isUpdate, async (request, send) => {
    const response = await send(request)
    const id = idOf(request)
    if (response.status !== 404 || id.length < 8) return response
    const found = (await projectsFor(request, send)).find((project) => project.id.startsWith(id))
    return found ? send({ ...request, path: `/v1/projects/${found.id}` }) : response
  }),
  mutant('a project is found by its name too', isUpdate, async (request, send) => {
    const response = await send(request)
    if (response.status !== 404) return response
    const id = (() => {
      try {
        return decodeURIComponent(idOf(request))
      } catch {
        return ''
      }
    })()
    const found = id && (await projectsFor(request, send)).find((project) => project.name === id)
    return found ? send({ ...request, path: `/v1/projects/${found.id}` }) : response
  }),
]
