import { operationNames, operations } from '../../contract/operations.js'
import { errorFormAt, methodsOf, route } from '../../contract/route.js'
import type { Case, CaseRequest } from './case.js'
import { bundle, join, list, own, utf8 } from './requests.js'
import { each, failure, lists, step, table, updates, words } from './steps.js'

// Unknown paths, unknown methods, and the pages about errors.

const paths = [...new Set(operationNames.map((name) => operations[name].path))]

/** What leads nowhere, made of each path of the table: paths are exact. */
const variants: ((path: string) => string)[] = [
  ...words('/ // .json . %20 %00 ;a=b /new').map((end) => (path: string) => path + end),
  ...words('/v1 / /api').map((start) => (path: string) => start + path),
  ...words('/v1// /V1/ /v2/ /v1.0/ /v1/./ /').map((prefix) => (path: string) => path.replace('/v1/', prefix)),
  (path) => path.replace(/\/(\w)/g, (_, char: string) => `/${char.toUpperCase()}`).replace('/V1', '/v1'),
  (path) => path.replace(/[a-z](?=\w*$)/, (char) => `%25${char.charCodeAt(0).toString(16)}`),
  (path) => path.replace(/\/(\w+)$/, '%2F$1'),
  (path) => path.replace(/s?$/, (end) => (end ? '' : 's')),
]

/** Some variants lead to the operation on a project, with `new` or a blank id. */
const unknownPaths = [
  ...paths
    .filter((path) => !path.includes('{'))
    .flatMap((path) => variants.map((variant) => variant(path)))
    .filter((path) => route('GET', path).allow?.length === 0),
  ...words(`/v1/Projects/${own} /V1/projects/${own} /v1%2Fprojects/${own} /v1/projects%2F${own}
    /v1/projects/${own}/ /v1/projects/${own}/name /v1/projects//${own}
    /v1 /v1/ /v1/nothing /v1/auth /v1/users /v1/teams /v1/%E0%A4%A /nothing`),
]

/** Fetch clients cannot send the last two, or write them in capitals. */
const methods = words('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND')

/** Each path of the operations table with the methods that it takes: with an id, a blank one, and an unknown one. */
const takenMethods = paths.flatMap((path) => {
  const allowed = methodsOf(operationNames.filter((name) => operations[name].path === path))
  const requested = path.includes('{')
    ? [own, '', 'unknown'].map((id) => path.replace(/\{\w+\}/, id))
    : [path]
  return requested.map((path) => ({ path, allowed }))
})

/** What frameworks take another method from. */
const asMethod = (path: string, method: string): Partial<CaseRequest> => ({
  as: 'acme-owner',
  path: `${path}?_method=${method}`,
  headers: { 'x-http-method-override': method, 'x-http-method': method, 'x-method-override': method },
  json: { name: 'Fresh' },
})

/** A request with a method that its path does not take. */
const refusesMethod = (method: string, path: string, allowed: string[], more: Partial<CaseRequest> = {}) => {
  const ofPath = errorFormAt(path) === 'short' ? { status: 405 } : failure('METHOD_NOT_ALLOWED')
  // In any order.
  const each = allowed.map((method) => `(?=.*\\b${method}\\b)`).join('')
  const allow = new RegExp(`^${each}\\w+(, \\w+){${allowed.length - 1}}$`)
  const raw = /TRACE|PROPFIND/.test(method) && { raw: true as const }
  return step(
    { method, path, ...raw, ...more },
    { ...(method === 'HEAD' ? { status: 405 } : ofPath), headers: { allow } },
  )
}

const notFound = failure('NOT_FOUND')

/** A request, and HEAD with its path: the same status and, if any, the length of its body. */
const headLike = (get: CaseRequest, i: number) => {
  // A proxy may compress bodies, which changes their length.
  const plain = { ...get, headers: { 'accept-encoding': 'identity' } }
  return [
    step(plain, { status: [200, 401, 404] }),
    step({ ...plain, method: 'HEAD' }, ({ responses }) => {
      const { status, text = '' } = responses[2 * i] ?? { status: 200 }
      return { status, headers: { 'content-length': new RegExp(`^(${utf8(text).length})?$`) } }
    }),
  ]
}

export const pathCases: Case[] = [
  ...each(
    unknownPaths.filter((path) => path.startsWith('/v1/')),
    'responses: exact paths',
    (path) => `${path} is unknown, with and without a session`,
    (path) => {
      // Clients remove segments of dots, and cannot decode some paths.
      const raw = /\/\.\/|%E0/.test(path) && { raw: true as const }
      const post = { method: 'POST', path, as: 'acme-owner', ...raw } as const
      return [
        step({ method: 'GET', path, ...raw }, notFound),
        step({ ...post, json: { name: 'x' } }, notFound),
        step({ ...post, method: 'PATCH', json: { name: 'x' } }, notFound),
        step({ ...post, bytes: '{"broken', type: 'text/plain' }, notFound),
      ]
    },
  ),
  ...each(
    words('%E0%A4%A % %zz %c3%28 %FF'),
    'bodies: unknown and foreign ids get the same response',
    (id) => `An id that is not percent-encoded UTF-8 is an unknown id: ${id}`,
    (id) => [
      updates(undefined, id, {}, failure('AUTH_REQUIRED')),
      updates('acme-owner', id, { name: 'Fresh' }, failure('PROJECT_NOT_FOUND')),
    ],
  ),
  ...table('9 paths carry /v1/', {
    'No path outside of /v1/ has the projects of a team': unknownPaths
      .filter((path) => !/^\/(v1|api)\//.test(path))
      .map((path) => step({ ...list('acme-owner'), path, raw: true }, { has: { projects: undefined } })),
  }),
  ...table('responses: exact paths', {
    'A path may be percent-encoded': step({ ...list('acme-owner'), path: '/v1/%70rojects' }),
  }),
  ...table('4.2 list projects, newest first', {
    'The body of a GET request is ignored': [
      step({ ...list('acme-owner'), json: { limit: 1, teamId: '{otherTeam}' }, raw: true }),
      step({ ...bundle('acme-owner'), json: { limit: 1, teamId: '{otherTeam}' }, raw: true }),
      step({ ...list('acme-owner'), bytes: '{"broken', raw: true }),
      step({ ...bundle('acme-owner'), bytes: 'x', type: 'text/plain', raw: true }),
    ],
  }),
  ...takenMethods.flatMap(({ path, allowed }) =>
    each(
      methods.filter((method) => !allowed.includes(method)),
      'responses: unknown paths and methods',
      (method) => `${method} ${path} is not allowed, changes nothing, and Allow lists the methods that are`,
      (method) => [
        refusesMethod(method, path, allowed),
        refusesMethod(method, path, allowed, { as: 'acme-owner' }),
        ...(method === 'POST' ? allowed : []).map((other) =>
          refusesMethod(method, path, allowed, asMethod(path, other)),
        ),
        ...(path.includes('projects') ? [] : [lists('acme-owner')]),
      ],
    ),
  ),
  ...table('responses: unknown paths and methods', {
    'HEAD returns what GET does, without a body; its Content-Length, if any, is that of the body': [
      list('acme-owner'),
      list('acme-viewer'),
      bundle('acme-owner'),
      list(),
      bundle(),
      { method: 'GET', path: '/v1/nothing' },
    ].flatMap(headLike),
  }),
  ...table('2.4 the error body', {
    'Session and waitlist errors have the short form, all others the full form': [
      step(bundle(), { status: 401 }),
      step(list(), failure('AUTH_REQUIRED')),
      step(join({}), { status: 422 }),
    ],
  }),
]
