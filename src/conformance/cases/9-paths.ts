import { operationNames, operations } from '../../contract/operations.js'
import { errorFormAt, route } from '../../contract/route.js'
import type { Case } from '../case.js'
import { expectEqual, expectError, expectHeader, expectSame, expectStatus, expectTrue } from '../expect.js'
import { bundle, list, utf8 } from '../requests.js'

// 9. Paths carry /v1/. They are exact, and each takes the methods of its operations (section 4).

const paths = [...new Set(operationNames.map((name) => operations[name].path.replace(/\{\w+\}/, 'unknown')))]
const withoutId = paths.filter((path) => !path.endsWith('/unknown'))

/** Addresses that lead nowhere, made of a path. */
const variantsOf = (path: string): string[] => [
  ...['//', '.json', '.', '%20', '%00', ';a=b', '/new/x'].map((end) => path + end),
  ...['/v1//', '/v1/v1/'].map((prefix) => path.replace('/v1/', prefix)),
  path.replace(/\w$/, (char) => char.toUpperCase()),
]

const unknownPaths = [
  ...withoutId.flatMap(variantsOf),
  '/v1/',
  '/v1/nothing',
  '/v1/auth',
  '/v1/users',
  '/v1/teams',
  '/v1/Projects/x',
  '/v1/projects/x/',
  '/v1/projects/x/name',
  '/v1/projects%2Fx',
  '/v1/auth%2Fme',
]

export const pathCases: Case[] = [
  {
    title: 'Paths that only look like those of the interface are unknown',
    requirement: 'responses: exact paths',
    async play({ send }) {
      for (const path of unknownPaths) {
        expectError(await send({ method: 'GET', path }), 'NOT_FOUND')
        expectError(await send({ method: 'GET', path, as: 'owner' }), 'NOT_FOUND')
      }
    },
  },
  {
    title: 'Paths that a client would change are unknown',
    requirement: 'responses: exact paths',
    async play({ send }) {
      for (const path of [
        '/v1/./projects',
        '/v1/projects/./x',
        '/v1/projects/%2E/x',
        '/v1\\projects',
        '/v1/%E0%A4%A',
      ])
        expectError(await send({ method: 'GET', path, as: 'owner', raw: true }), 'NOT_FOUND')
    },
  },
  {
    title: 'An unknown path takes no change, whatever its body',
    requirement: 'responses: exact paths',
    write: true,
    async play({ send }) {
      for (const path of unknownPaths) {
        expectError(await send({ method: 'POST', path, as: 'owner', json: { name: 'x' } }), 'NOT_FOUND')
        expectError(
          await send({ method: 'PATCH', path, as: 'owner', bytes: '{', type: 'text/plain' }),
          'NOT_FOUND',
        )
      }
    },
  },
  {
    title: 'A path may be percent-encoded',
    requirement: 'responses: exact paths',
    async play({ send }) {
      expectSame(await send({ ...list('owner'), path: '/v1/%70rojects' }), await send(list('owner')))
    },
  },
  {
    title: 'No path outside of /v1/ has the projects of a team',
    requirement: '9 paths carry /v1/',
    async play({ send }) {
      for (const path of [
        '/projects',
        '/v2/projects',
        '/api/v1/projects',
        '//v1/projects',
        '/V1/projects',
        '/v1%2Fprojects',
        '/v1',
      ]) {
        const { json, to } = await send({ ...list('owner'), path, raw: true })
        expectTrue(Object(json).projects === undefined, `${to}: the response has projects`)
      }
    },
  },
  {
    title: 'A method that a path does not take is 405, and Allow lists those that it takes',
    requirement: 'responses: unknown paths and methods',
    write: true,
    async play({ send }) {
      for (const path of paths) {
        const allowed = route('', path).allow ?? []
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
          if (allowed.includes(method)) continue
          for (const as of [undefined, 'owner'] as const) {
            const reply = await send({ method, path, as })
            expectStatus(reply, 405)
            expectEqual(reply.headers.allow?.split(', ').sort(), [...allowed].sort(), `${reply.to}: Allow`)
            if (method !== 'HEAD' && errorFormAt(path) === 'full') expectError(reply, 'METHOD_NOT_ALLOWED')
          }
        }
      }
    },
  },
  {
    title: 'TRACE and unknown methods are 405, and no header or query changes a method',
    requirement: 'responses: unknown paths and methods',
    write: true,
    async play({ send }) {
      for (const method of ['TRACE', 'PROPFIND'])
        expectError(
          await send({ method, path: '/v1/projects', as: 'owner', raw: true }),
          'METHOD_NOT_ALLOWED',
        )
      const headers = {
        'x-http-method-override': 'PATCH',
        'x-http-method': 'PATCH',
        'x-method-override': 'PATCH',
      }
      const request = { method: 'POST', path: '/v1/projects/x?_method=PATCH', as: 'owner' as const, headers }
      expectError(await send({ ...request, json: { name: 'x' } }), 'METHOD_NOT_ALLOWED')
    },
  },
  {
    title: 'HEAD returns what GET does, without a body; its Content-Length, if any, is that of the body',
    requirement: 'responses: unknown paths and methods',
    async play({ send }) {
      const nothing = { method: 'GET', path: '/v1/nothing' }
      for (const request of [list('owner'), list('viewer'), bundle('owner'), list(), bundle(), nothing]) {
        // A proxy may compress bodies, which changes their length.
        const headers = { 'accept-encoding': 'identity' }
        const get = await send({ ...request, headers })
        const head = await send({ ...request, method: 'HEAD', headers })
        expectStatus(head, get.status)
        expectHeader(head, 'content-length', new RegExp(`^(${utf8(get.text).length})?$`))
      }
    },
  },
]
