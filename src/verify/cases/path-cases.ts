import * as z from 'zod'
import { type ErrorCode, errorDocsPath, errors } from '../../contract/errors.js'
import { operationNames, operations } from '../../contract/operations.js'
import { errorFormAt, methodsOf, route } from '../../contract/route.js'
import type { Case, CaseRequest } from './case.js'
import { allProjects, failure, shortFailure } from './expectations.js'
import { bundle, given, list, own, step, update, utf8, withBytes } from './requests.js'

// Unknown paths, unknown methods, and the pages about errors.

/** What leads nowhere, made of each path of the table: paths are exact. */
const variants: ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `${path}.json`,
  (path) => `${path}.`,
  (path) => `${path}%20`,
  (path) => `${path}%00`,
  (path) => `${path};a=b`,
  (path) => `${path}/new`,
  (path) => `/v1${path}`,
  (path) => `/${path}`,
  (path) => path.replace('/v1/', '/v1//'),
  (path) => path.replace('/v1/', '/V1/'),
  (path) => path.replace('/v1/', '/v2/'),
  (path) => path.replace('/v1/', '/v1.0/'),
  (path) => path.replace('/v1/', '/v1/./'),
  (path) => path.replace('/v1/', '/api/v1/'),
  (path) => path.replace('/v1/', '/'),
  (path) => path.replace(/\/(\w)/g, (_, char: string) => `/${char.toUpperCase()}`).replace('/V1', '/v1'),
  (path) => path.replace(/[a-z](?=\w*$)/, (char) => `%25${char.charCodeAt(0).toString(16)}`),
  (path) => path.replace(/\/(\w+)$/, '%2F$1'),
  (path) => path.replace(/s?$/, (end) => (end ? '' : 's')),
]

/** The paths of the table without parameters. */
const plainPaths = [...new Set(operationNames.map((name) => operations[name].path))].filter(
  (path) => !path.includes('{'),
)

/** Some lead to the operation on a project, with `new` or a blank id. */
const isUnknown = (path: string) => route('GET', path).allow?.length === 0

const unknownPaths = [
  ...plainPaths.flatMap((path) => variants.map((variant) => variant(path))).filter(isUnknown),
  `/v1/projects/${own}/`,
  `/v1/projects/${own}/name`,
  `/v1/projects//${own}`,
  '/v1',
  '/v1/',
  '/v1/nothing',
  '/v1/auth',
  '/v1/users',
  '/v1/teams',
  '/nothing',
]

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Fetch clients cannot send them, or write them in capitals. */
const rareMethods = ['TRACE', 'PROPFIND']

/** A path of the table as requests use it: with an id, and with a blank one (a slash at the end). */
const requestPaths = (path: string) =>
  path.includes('{') ? [own, ''].map((id) => path.replace(/\{\w+\}/, id)) : [path]

/** Each path of the operations table with each method that it does not take. */
const wrongMethods = [...new Set(operationNames.map((name) => operations[name].path))].flatMap((path) => {
  const allowed = methodsOf(operationNames.filter((name) => operations[name].path === path))
  const wrong = [...methods, ...rareMethods].filter((method) => !allowed.includes(method))
  return requestPaths(path).flatMap((path) => wrong.map((method) => ({ method, path, allowed })))
})

/** An Allow header with these methods, in any order. */
const allowHeader = (methods: string[]) =>
  new RegExp(
    `^${methods.map((method) => `(?=.*\\b${method}\\b)`).join('')}\\w+(, \\w+){${methods.length - 1}}$`,
  )

const hasNoProjects = (json: unknown) => !('projects' in Object(json))

/** Clients remove segments of dots. */
const traits = (path: string) => ({
  ...(!path.startsWith('/v1/') && { outside: true as const }),
  ...(path.includes('/./') && { raw: true as const }),
})

/** A proxy may compress bodies, which changes their length. */
const uncompressed = { 'accept-encoding': 'identity' }

const notFound = failure('NOT_FOUND')

const unknown = (request: CaseRequest, title: string): Case =>
  given(title, 'responses: unknown paths and methods', step(request, notFound))

export const pathCases: Case[] = [
  ...unknownPaths.map(
    (path): Case =>
      given(
        `${path} is unknown, with and without a session`,
        path.startsWith('/v1') ? 'responses: exact paths' : '9 paths carry /v1/',
        step({ method: 'GET', path, ...traits(path) }, notFound),
        ...['POST', 'PATCH'].map((method) =>
          step({ method, path, as: 'acme-owner', json: { name: 'x' }, ...traits(path) }, notFound),
        ),
      ),
  ),
  ...['%E0%A4%A', '%', '%zz', '%c3%28', '%FF'].map(
    (id): Case =>
      given(
        `An id that is not percent-encoded UTF-8 is an unknown id: ${id}`,
        'bodies: unknown and foreign ids get the same response',
        step(update(undefined, id, {}), failure('AUTH_REQUIRED')),
        step(update('acme-owner', id, {}), failure('PROJECT_NOT_FOUND')),
        step(update('acme-owner', id, { name: 'Fresh' }), failure('PROJECT_NOT_FOUND')),
      ),
  ),
  unknown({ method: 'GET', path: '/v1/%E0%A4%A', raw: true }, 'A malformed path is unknown'),
  unknown(
    withBytes({ method: 'POST', path: '/v1/nothing' }, utf8('{"broken'), 'text/plain'),
    'The body of a request to an unknown path is not checked',
  ),
  given(
    'No path outside of /v1/ has the projects of a team',
    '9 paths carry /v1/',
    ...unknownPaths
      .filter((path) => traits(path).outside && !path.startsWith('/api/'))
      .map((path) =>
        step(
          { method: 'GET', path, as: 'acme-owner', raw: true },
          { body: z.unknown().refine(hasNoProjects) },
        ),
      ),
  ),
  given(
    'A path may be percent-encoded',
    'responses: exact paths',
    step({ ...list('acme-owner'), path: '/v1/%70rojects' }, allProjects()),
  ),
  given(
    'The body of a GET request is ignored',
    '4.2 list projects, newest first',
    step({ ...withBytes(list('acme-owner'), utf8('{"broken')), raw: true }, { status: 200 }),
    step({ ...withBytes(bundle('acme-owner'), utf8('x'), 'text/plain'), raw: true }, { status: 200 }),
  ),

  ...wrongMethods.map(
    ({ method, path, allowed }): Case =>
      given(
        `${method} ${path} is not allowed, and Allow lists the methods that are`,
        'responses: unknown paths and methods',
        step(
          { method, path, ...(rareMethods.includes(method) && { raw: true as const }) },
          {
            ...(method === 'HEAD'
              ? { status: 405, text: '' }
              : errorFormAt(path) === 'short'
                ? shortFailure(405)
                : failure('METHOD_NOT_ALLOWED')),
            headers: { allow: allowHeader(allowed) },
          },
        ),
      ),
  ),
  given(
    'HEAD returns what GET does, without a body; its Content-Length, if any, is that of the body',
    'responses: unknown paths and methods',
    ...[
      list('acme-owner'),
      bundle('acme-owner'),
      list(),
      bundle(),
      { method: 'GET', path: '/v1/nothing' },
    ].flatMap((get, i) => [
      step({ ...get, headers: uncompressed }, { status: [200, 401, 404] }),
      step({ ...get, method: 'HEAD', headers: uncompressed }, ({ responses }) => {
        const { status, text = '' } = responses[2 * i] ?? { status: 200 }
        return { status, text: '', headers: { 'content-length': new RegExp(`^(${utf8(text).length})?$`) } }
      }),
    ]),
  ),

  ...Object.keys(errors).map(
    (code): Case =>
      given(
        `There is a page about ${code}`,
        'responses: docsUrl opens a page about the code',
        step(
          { method: 'GET', path: errorDocsPath(code as ErrorCode) },
          { status: 200, headers: { 'content-type': /^text\/html; charset=utf-8$/i } },
        ),
      ),
  ),
  given(
    'There is no page about a code that does not exist',
    'responses: docsUrl opens a page about the code',
    step({ method: 'GET', path: '/docs/errors/no-such-code', outside: true }, { status: 404 }),
    step({ method: 'GET', path: '/docs/errors/AUTH_REQUIRED', outside: true }, { status: 404 }),
  ),
  given(
    'Session and waitlist errors have the short form, all others the full form',
    '2.4 the error body',
    step(bundle(), shortFailure(401)),
    step(list(), failure('AUTH_REQUIRED')),
    step(
      { method: 'POST', path: '/v1/waitlist', json: {} },
      { status: 422, body: { error: 'email_required' } },
    ),
  ),
]
