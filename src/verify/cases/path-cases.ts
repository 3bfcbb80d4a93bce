import * as z from 'zod'
import { type ErrorCode, errorDocsPath, errors } from '../../contract/errors.js'
import { operationNames, operations } from '../../contract/operations.js'
import { errorFormAt, methodsOf, route } from '../../contract/route.js'
import type { Case, CaseRequest } from './case.js'
import { each, lists, step, table, updates, words } from './case-table.js'
import { allProjects, emailRequired, failure, shortFailure } from './expectations.js'
import { bundle, list, own, utf8, withBytes } from './requests.js'

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
  ...words(`/v1/Projects/${own} /V1/projects/${own} /v1%2Fprojects/${own} /v1/projects%2F${own}
    /v1/projects/${own}/ /v1/projects/${own}/name /v1/projects//${own}
    /v1 /v1/ /v1/nothing /v1/auth /v1/users /v1/teams /nothing`),
]

const methods = words('GET HEAD POST PUT PATCH DELETE OPTIONS')
/** Fetch clients cannot send them, or write them in capitals. */
const rareMethods = ['TRACE', 'PROPFIND']

/** A path of the table as requests use it: with an id, a blank one (a slash at the end), and an unknown one. */
const requestPaths = (path: string) =>
  path.includes('{') ? [own, '', 'unknown'].map((id) => path.replace(/\{\w+\}/, id)) : [path]

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

/** A request, and HEAD with its path: the same status and, if any, the length of its body. */
const headLike = (get: CaseRequest, i: number) => [
  step({ ...get, headers: uncompressed }, { status: [200, 401, 404] }),
  step({ ...get, method: 'HEAD', headers: uncompressed }, ({ responses }) => {
    const { status, text = '' } = responses[2 * i] ?? { status: 200 }
    return { status, text: '', headers: { 'content-length': new RegExp(`^(${utf8(text).length})?$`) } }
  }),
]

const refusedMethod = (method: string, path: string) =>
  method === 'HEAD'
    ? { status: 405, text: '' }
    : errorFormAt(path) === 'short'
      ? shortFailure(405)
      : failure('METHOD_NOT_ALLOWED')

export const pathCases: Case[] = [
  ...unknownPaths.flatMap((path) =>
    table(path.startsWith('/v1') ? 'responses: exact paths' : '9 paths carry /v1/', {
      [`${path} is unknown, with and without a session`]: [
        step({ method: 'GET', path, ...traits(path) }, notFound),
        ...['POST', 'PATCH'].map((method) =>
          step({ method, path, as: 'acme-owner', json: { name: 'x' }, ...traits(path) }, notFound),
        ),
      ],
    }),
  ),
  ...each(
    ['%E0%A4%A', '%', '%zz', '%c3%28', '%FF'],
    'bodies: unknown and foreign ids get the same response',
    (id) => `An id that is not percent-encoded UTF-8 is an unknown id: ${id}`,
    (id) => [
      updates(undefined, id, {}, failure('AUTH_REQUIRED')),
      updates('acme-owner', id, {}, failure('PROJECT_NOT_FOUND')),
      updates('acme-owner', id, { name: 'Fresh' }, failure('PROJECT_NOT_FOUND')),
    ],
  ),
  ...table('9 paths carry /v1/', {
    'No path outside of /v1/ has the projects of a team': unknownPaths
      .filter((path) => traits(path).outside && !path.startsWith('/api/'))
      .map((path) =>
        step(
          { method: 'GET', path, as: 'acme-owner', raw: true },
          { body: z.unknown().refine(hasNoProjects) },
        ),
      ),
  }),
  ...table('responses: exact paths', {
    'A path may be percent-encoded': step({ ...list('acme-owner'), path: '/v1/%70rojects' }, allProjects()),
  }),
  ...table('4.2 list projects, newest first', {
    'The body of a GET request is ignored': [
      step({ ...withBytes(list('acme-owner'), utf8('{"broken')), raw: true }, { status: 200 }),
      step({ ...withBytes(bundle('acme-owner'), utf8('x'), 'text/plain'), raw: true }, { status: 200 }),
    ],
  }),
  ...each(
    wrongMethods,
    'responses: unknown paths and methods',
    ({ method, path }) => `${method} ${path} is not allowed, and Allow lists the methods that are`,
    ({ method, path, allowed }) =>
      step(
        { method, path, ...(rareMethods.includes(method) && { raw: true as const }) },
        { ...refusedMethod(method, path), headers: { allow: allowHeader(allowed) } },
      ),
  ),
  ...each(
    [...methods, ...rareMethods],
    'responses: unknown paths and methods',
    (method) => `${method} is not allowed to a member either, and changes nothing, where no operation has it`,
    (method) => [
      ...wrongMethods
        .filter((wrong) => wrong.method === method)
        .map(({ path, allowed }) =>
          step(
            { method, path, as: 'acme-owner', ...(rareMethods.includes(method) && { raw: true as const }) },
            { ...refusedMethod(method, path), headers: { allow: allowHeader(allowed) } },
          ),
        ),
      lists('acme-owner'),
    ],
  ),
  ...table('responses: unknown paths and methods', {
    'A malformed path is unknown': step({ method: 'GET', path: '/v1/%E0%A4%A', raw: true }, notFound),
    'The body of a request to an unknown path is not checked': step(
      withBytes({ method: 'POST', path: '/v1/nothing' }, utf8('{"broken'), 'text/plain'),
      notFound,
    ),
    'HEAD returns what GET does, without a body; its Content-Length, if any, is that of the body': [
      list('acme-owner'),
      bundle('acme-owner'),
      list(),
      bundle(),
      { method: 'GET', path: '/v1/nothing' },
    ].flatMap(headLike),
  }),
  ...each(
    Object.keys(errors),
    'responses: docsUrl opens a page about the code',
    (code) => `There is a page about ${code}`,
    (code) =>
      step(
        { method: 'GET', path: errorDocsPath(code as ErrorCode) },
        { status: 200, headers: { 'content-type': /^text\/html; charset=utf-8$/i } },
      ),
  ),
  ...table('responses: docsUrl opens a page about the code', {
    'There is no page about a code that does not exist': ['no-such-code', 'AUTH_REQUIRED'].map((name) =>
      step({ method: 'GET', path: `/docs/errors/${name}`, outside: true }, { status: 404 }),
    ),
  }),
  ...table('2.4 the error body', {
    'Session and waitlist errors have the short form, all others the full form': [
      step(bundle(), shortFailure(401)),
      step(list(), failure('AUTH_REQUIRED')),
      step({ method: 'POST', path: '/v1/waitlist', json: {} }, emailRequired(422)),
    ],
  }),
]
