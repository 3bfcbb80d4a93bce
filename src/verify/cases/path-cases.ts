import { type ErrorCode, errorDocsPath, errors } from '../../contract/errors.js'
import { operationNames, operations } from '../../contract/operations.js'
import { errorFormAt, methodsOf } from '../../contract/route.js'
import type { Case, CaseRequest } from './case.js'
import { allProjects, failure, shortFailure } from './expectations.js'
import { bundle, list, own, step, update, utf8, withBytes } from './requests.js'

// Unknown paths, unknown methods, and the pages about errors.

const unknownPaths = [
  '/v1',
  '/v1/',
  '/v1/nothing',
  '/v1/project',
  '/v1/Projects',
  '/V1/projects',
  '/v2/projects',
  '/projects',
  '/auth/me',
  '/waitlist',
  '/v1/auth',
  '/v1/auth/me/',
  '/v1/auth/ME',
  '/v1/waitlist/',
  '/v1/waitlist/export',
  '/v1//projects',
  '//v1/projects',
  '/v1/projects//',
  `/v1/projects/${own}/`,
  `/v1/projects/${own}/name`,
  '/v1/projects.json',
  '/v1/projects;a=b',
  '/nothing',
]

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A path of the table as requests use it: with an id, and with a blank one (a slash at the end). */
const requestPaths = (path: string) =>
  path.includes('{') ? [own, ''].map((id) => path.replace(/\{\w+\}/, id)) : [path]

/** Each path of the operations table with each method that it does not take. */
const wrongMethods = [...new Set(operationNames.map((name) => operations[name].path))].flatMap((path) => {
  const allowed = methodsOf(operationNames.filter((name) => operations[name].path === path))
  const wrong = methods.filter((method) => !allowed.includes(method))
  return requestPaths(path).flatMap((path) => wrong.map((method) => ({ method, path, allowed })))
})

/** An Allow header with these methods, in any order. */
const allowHeader = (methods: string[]) =>
  new RegExp(
    `^${methods.map((method) => `(?=.*\\b${method}\\b)`).join('')}\\w+(, \\w+){${methods.length - 1}}$`,
  )

const outside = (path: string) => (path.startsWith('/v1/') ? {} : { outside: true as const })

/** A proxy may compress bodies, which changes their length. */
const uncompressed = { 'accept-encoding': 'identity' }

const notFound = failure('NOT_FOUND')

const unknown = (request: CaseRequest, title: string): Case => ({
  title,
  requirement: 'responses: unknown paths and methods',
  steps: [step(request, notFound)],
})

export const pathCases: Case[] = [
  ...unknownPaths.flatMap((path) =>
    (['GET', 'POST', 'PATCH'] as const).map(
      (method): Case => ({
        title: `${method} ${path} is unknown, with and without a session`,
        requirement: path.startsWith('/v1') ? 'responses: exact paths' : '9 paths carry /v1/',
        steps: [
          step({ method, path, ...outside(path) }, notFound),
          step(
            { method, path, as: 'acme-owner', ...(method !== 'GET' && { json: { name: 'x' } }) },
            notFound,
          ),
        ],
      }),
    ),
  ),
  ...['%E0%A4%A', '%', '%zz', '%c3%28', '%FF'].map(
    (id): Case => ({
      title: `An id that is not percent-encoded UTF-8 is an unknown id: ${id}`,
      requirement: 'bodies: unknown and foreign ids get the same response',
      steps: [
        step(update(undefined, id, {}), failure('AUTH_REQUIRED')),
        step(update('acme-owner', id, {}), failure('PROJECT_NOT_FOUND')),
        step(update('acme-owner', id, { name: 'Fresh' }), failure('PROJECT_NOT_FOUND')),
      ],
    }),
  ),
  unknown({ method: 'GET', path: '/v1/%E0%A4%A', raw: true }, 'A malformed path is unknown'),
  unknown(
    withBytes({ method: 'POST', path: '/v1/nothing' }, utf8('{"broken'), 'text/plain'),
    'The body of a request to an unknown path is not checked',
  ),
  {
    title: 'A path may be percent-encoded',
    requirement: 'responses: exact paths',
    steps: [step({ ...list('acme-owner'), path: '/v1/%70rojects' }, allProjects())],
  },
  {
    title: 'Query parameters are ignored',
    requirement: '4.2 list projects, newest first',
    steps: [
      step({ ...list('acme-owner'), path: '/v1/projects?limit=1&teamId=other' }, allProjects()),
      step({ ...list(), path: '/v1/projects?session=acme-owner' }, failure('AUTH_REQUIRED')),
    ],
  },
  {
    title: 'The body of a GET request is ignored',
    requirement: '4.2 list projects, newest first',
    steps: [
      step({ ...withBytes(list('acme-owner'), utf8('{"broken')), raw: true }, { status: 200 }),
      step({ ...withBytes(bundle('acme-owner'), utf8('x'), 'text/plain'), raw: true }, { status: 200 }),
    ],
  },

  ...wrongMethods.map(
    ({ method, path, allowed }): Case => ({
      title: `${method} ${path} is not allowed, and Allow lists the methods that are`,
      requirement: 'responses: unknown paths and methods',
      steps: [
        step(
          { method, path },
          {
            ...(method === 'HEAD'
              ? { status: 405, text: '' }
              : errorFormAt(path) === 'short'
                ? shortFailure(405)
                : failure('METHOD_NOT_ALLOWED')),
            headers: { allow: allowHeader(allowed) },
          },
        ),
      ],
    }),
  ),
  {
    title: 'HEAD returns what GET does, without a body; its Content-Length, if any, is that of the body',
    requirement: 'responses: unknown paths and methods',
    steps: [
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
  },

  ...Object.keys(errors).map(
    (code): Case => ({
      title: `There is a page about ${code}`,
      requirement: 'responses: docsUrl opens a page about the code',
      steps: [
        step(
          { method: 'GET', path: errorDocsPath(code as ErrorCode) },
          { status: 200, headers: { 'content-type': /^text\/html; charset=utf-8$/i } },
        ),
      ],
    }),
  ),
  {
    title: 'There is no page about a code that does not exist',
    requirement: 'responses: docsUrl opens a page about the code',
    steps: [
      step({ method: 'GET', path: '/docs/errors/no-such-code', outside: true }, { status: 404 }),
      step({ method: 'GET', path: '/docs/errors/AUTH_REQUIRED', outside: true }, { status: 404 }),
    ],
  },
  {
    title: 'Session and waitlist errors have the short form, all others the full form',
    requirement: '2.4 the error body',
    steps: [
      step(bundle(), shortFailure(401)),
      step(list(), failure('AUTH_REQUIRED')),
      step(
        { method: 'POST', path: '/v1/waitlist', json: {} },
        { status: 422, body: { error: 'email_required' } },
      ),
    ],
  },
]
