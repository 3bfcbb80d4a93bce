import { operationNames, operations } from '../../contract/operations.js'
import { errorFormAt, route } from '../../contract/route.js'
import type { Case, CaseContext, Persona, Step } from './case.js'
import { bundle, each, failure, join, list, own, table, update, utf8, words } from './steps.js'

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
    /v1/projects/${own}/ /v1/projects/./${own} /v1/projects/%2E/${own} /v1\\projects /v1/projects/${own}/name
    /v1/projects//${own} /v1 /v1/ /v1/nothing /v1/auth /v1/users /v1/teams /v1/%E0%A4%A /nothing`),
]

/** Reads, writes, and what fetch clients cannot send, or write in capitals. */
const methods = ['GET HEAD', 'POST PUT PATCH DELETE OPTIONS', 'TRACE PROPFIND'].map(words)

/** Each path of the operations table: with an id, a blank one, and an unknown one. */
const takenPaths = paths.flatMap((path) =>
  path.includes('{') ? [own, '', 'unknown'].map((id) => path.replace(/\{\w+\}/, id)) : path,
)

/** Requests with methods that a path does not take: without and with a session, and asked for by other means. */
function refusesMethods(path: string, allowed: string[], methods: string[]): Step[][] {
  const { has } = errorFormAt(path) === 'short' ? {} : failure('METHOD_NOT_ALLOWED')
  // In any order.
  const each = allowed.map((method) => `(?=.*\\b${method}\\b)`).join('')
  const headers = { allow: new RegExp(`^${each}\\w+(, \\w+){${allowed.length - 1}}$`) }
  const request = (method: string, as?: Persona): Step => ({
    method,
    path,
    as,
    raw: /TRACE|PROPFIND/.test(method),
    expect: { status: 405, headers, ...(has && method !== 'HEAD' && { has }) },
  })
  const overrides = allowed.map((method) => ({
    ...request('POST', 'acme-owner'),
    path: `${path}?_method=${method}`,
    headers: { 'x-http-method-override': method, 'x-http-method': method, 'x-method-override': method },
    json: { name: 'Fresh' },
  }))
  const asOwner = methods.map((method) => request(method, 'acme-owner'))
  return [
    methods.map((method) => request(method)),
    methods.includes('POST') ? [...asOwner, ...overrides] : asOwner,
  ]
}

/** A proxy may compress bodies, which changes their length. */
const gets: Step[] = [
  ...[list('acme-owner'), list('acme-viewer'), bundle('acme-owner'), list(), bundle()],
  { method: 'GET', path: '/v1/nothing' },
].map((get) => ({ ...get, headers: { 'accept-encoding': 'identity' }, expect: { status: [200, 401, 404] } }))

/** Requests to paths that lead nowhere, without and with a session. */
const notFoundAt = (paths: string[], raw = false): Step[][] => {
  const as = 'acme-owner'
  const bodies = [
    { method: 'POST', json: { name: 'x' } },
    { method: 'PATCH', json: { name: 'x' } },
    { method: 'POST', bytes: '{"broken', type: 'text/plain' },
  ]
  return [
    paths.map((path) => ({ method: 'GET', path, raw, expect: failure('NOT_FOUND') })),
    paths.flatMap((path) => bodies.map((body) => ({ ...body, path, raw, as, expect: failure('NOT_FOUND') }))),
  ]
}

const below = unknownPaths.filter((path) => path.startsWith('/v1/'))
/** Clients remove segments of dots, and cannot decode some paths. */
const isRaw = (path: string) => /\/(\.|%2E)\/|%E0/.test(path)
const undecodable = words('%E0%A4%A % %zz %c3%28 %FF')

export const pathCases: Case[] = [
  ...table('responses: exact paths', {
    'Paths that only look like those of the interface are unknown': notFoundAt(
      below.filter((path) => !isRaw(path)),
    ),
    'Paths that a client would change are unknown': notFoundAt(below.filter(isRaw), true),
    'A path may be percent-encoded': { ...list('acme-owner'), path: '/v1/%70rojects' },
  }),
  ...table('bodies: unknown and foreign ids get the same response', {
    'An id that is not percent-encoded UTF-8 is an unknown id': [
      undecodable.map((id) => update(undefined, id, {}, failure('AUTH_REQUIRED'))),
      undecodable.map((id) => update('acme-owner', id, { name: 'Fresh' }, failure('PROJECT_NOT_FOUND'))),
    ],
  }),
  ...table('9 paths carry /v1/', {
    'No path outside of /v1/ has the projects of a team': [
      unknownPaths
        .filter((path) => !/^\/(v1|api)\//.test(path))
        .map((path) => ({ ...list('acme-owner', { has: { projects: undefined } }), path, raw: true })),
    ],
  }),
  ...table('4.2 list projects, newest first', {
    'The body of a GET request is ignored': [
      { ...list('acme-owner'), json: { limit: 1, teamId: '{otherTeam}' }, raw: true },
      { ...bundle('acme-owner'), json: { limit: 1, teamId: '{otherTeam}' }, raw: true },
      { ...list('acme-owner'), bytes: '{"broken', raw: true },
      { ...bundle('acme-owner'), bytes: 'x', type: 'text/plain', raw: true },
    ],
  }),
  ...takenPaths.flatMap((path) => {
    const allowed = route('', path).allow ?? []
    const others = methods.map((some) => some.filter((method) => !allowed.includes(method)))
    return each(
      others.filter(({ length }) => length > 0),
      'responses: unknown paths and methods',
      (others) => `${others.join(', ')} ${path} are not allowed, and Allow lists ${allowed.join(', ')}`,
      (others) => refusesMethods(path, allowed, others),
    )
  }),
  ...table('responses: unknown paths and methods', {
    'HEAD returns what GET does, without a body; its Content-Length, if any, is that of the body': [
      ...gets,
      ...gets.map((get, i) => ({
        ...get,
        method: 'HEAD',
        expect({ responses }: CaseContext) {
          const { status, text = '' } = responses[i] ?? {}
          return { status, headers: { 'content-length': new RegExp(`^(${utf8(text).length})?$`) } }
        },
      })),
    ],
  }),
  ...table('2.4 the error body', {
    'Session and waitlist errors have the short form, all others the full form': [
      bundle(undefined, { status: 401 }),
      list(undefined, failure('AUTH_REQUIRED')),
      join({}, { status: 422 }),
    ],
  }),
]
