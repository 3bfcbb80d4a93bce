import { type ErrorCode, errorDocsPath, errors } from '../../contract/errors.js'
import type { Case, Request } from './case.js'
import { everyProject, refused, signInFirst } from './expectations.js'
import { bundle, list, mine, step, utf8, withBytes } from './requests.js'

// What is not an operation: unknown paths and methods; and the pages that errors point to.

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
  `/v1/projects/${mine}/`,
  `/v1/projects/${mine}/name`,
  '/v1/projects.json',
  '/v1/projects;a=b',
  '/nothing',
]

const wrongMethods: [string, string, string[]][] = [
  ['PUT', '/v1/projects', ['GET', 'HEAD', 'POST']],
  ['DELETE', '/v1/projects', ['GET', 'HEAD', 'POST']],
  ['PATCH', '/v1/projects', ['GET', 'HEAD', 'POST']],
  ['GET', `/v1/projects/${mine}`, ['PATCH']],
  ['HEAD', `/v1/projects/${mine}`, ['PATCH']],
  ['POST', `/v1/projects/${mine}`, ['PATCH']],
  ['PUT', `/v1/projects/${mine}`, ['PATCH']],
  ['DELETE', `/v1/projects/${mine}`, ['PATCH']],
  // With a slash at the end this is the path of a project whose id is blank.
  ['GET', '/v1/projects/', ['PATCH']],
  ['POST', '/v1/projects/', ['PATCH']],
  ['POST', '/v1/auth/me', ['GET', 'HEAD']],
  ['DELETE', '/v1/auth/me', ['GET', 'HEAD']],
  ['GET', '/v1/waitlist', ['POST']],
  ['HEAD', '/v1/waitlist', ['POST']],
  ['PUT', '/v1/waitlist', ['POST']],
  ['DELETE', '/v1/waitlist', ['POST']],
]

/** An Allow header with these methods, in any order. */
const allows = (methods: string[]) =>
  new RegExp(
    `^${methods.map((method) => `(?=.*\\b${method}\\b)`).join('')}\\w+(, \\w+){${methods.length - 1}}$`,
  )

const outside = (path: string) => (path.startsWith('/v1/') ? {} : { outside: true as const })

const notFound = refused('NOT_FOUND')

const unknown = (request: Request, title: string): Case => ({
  title,
  requirement: 'answers: unknown paths and methods',
  steps: [step(request, notFound)],
})

export const pathCases: Case[] = [
  ...unknownPaths.flatMap((path) =>
    (['GET', 'POST', 'PATCH'] as const).map(
      (method): Case => ({
        title: `${method} ${path} leads nowhere, with or without a session`,
        requirement: path.startsWith('/v1') ? 'answers: exact paths' : '9 paths carry /v1/',
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
  ...['%E0%A4%A', '%', '%zz', '%c3%28', '%FF'].map((id) =>
    unknown(
      { method: 'PATCH', path: `/v1/projects/${id}`, as: 'acme-owner', json: {} },
      `A path that is no percent-encoding of UTF-8 leads nowhere: ${id}`,
    ),
  ),
  unknown({ method: 'GET', path: '/v1/%E0%A4%A', raw: true }, 'A malformed unknown path leads nowhere'),
  unknown(
    withBytes({ method: 'POST', path: '/v1/nothing' }, utf8('{"broken'), 'text/plain'),
    'The body of a request to an unknown path is not looked at',
  ),
  {
    title: 'A path may be percent-encoded',
    requirement: 'answers: exact paths',
    steps: [step({ ...list('acme-owner'), path: '/v1/%70rojects' }, everyProject())],
  },
  {
    title: 'Parameters that the operation does not have are ignored',
    requirement: '4.2 list projects, newest first',
    steps: [
      step({ ...list('acme-owner'), path: '/v1/projects?limit=1&teamId=other' }, everyProject()),
      step({ ...list(), path: '/v1/projects?session=acme-owner' }, refused('AUTH_REQUIRED')),
    ],
  },
  {
    title: 'A body with a request that takes none is ignored',
    requirement: '4.2 list projects, newest first',
    steps: [
      step({ ...withBytes(list('acme-owner'), utf8('{"broken')), raw: true }, { status: 200 }),
      step({ ...withBytes(bundle('acme-owner'), utf8('x'), 'text/plain'), raw: true }, { status: 200 }),
    ],
  },

  ...wrongMethods.map(
    ([method, path, methods]): Case => ({
      title: `${method} ${path} is not allowed, and Allow says what is`,
      requirement: 'answers: unknown paths and methods',
      steps: [
        step(
          { method, path },
          {
            ...(method === 'HEAD' ? { status: 405, text: '' } : refused('METHOD_NOT_ALLOWED')),
            headers: { allow: allows(methods) },
          },
        ),
      ],
    }),
  ),
  {
    title: 'HEAD answers as GET does, without a body',
    requirement: 'answers: unknown paths and methods',
    steps: [
      step({ ...list('acme-owner'), method: 'HEAD' }, { status: 200, text: '' }),
      step({ ...bundle('acme-owner'), method: 'HEAD' }, { status: 200, text: '' }),
      step({ ...list(), method: 'HEAD' }, { status: 401, text: '' }),
      step({ ...bundle(), method: 'HEAD' }, { status: 401, text: '' }),
      step({ method: 'HEAD', path: '/v1/nothing' }, { status: 404, text: '' }),
    ],
  },

  ...Object.keys(errors).map(
    (code): Case => ({
      title: `There is a page about ${code}`,
      requirement: 'answers: docsUrl opens a page about the code',
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
    requirement: 'answers: docsUrl opens a page about the code',
    steps: [
      step({ method: 'GET', path: '/docs/errors/no-such-code', outside: true }, { status: 404 }),
      step({ method: 'GET', path: '/docs/errors/AUTH_REQUIRED', outside: true }, { status: 404 }),
    ],
  },
  {
    title: 'The session and the waitlist answer errors in the short form, all others in the full one',
    requirement: '2.4 the error body',
    steps: [
      step(bundle(), signInFirst),
      step(list(), refused('AUTH_REQUIRED')),
      step(
        { method: 'POST', path: '/v1/waitlist', json: {} },
        { status: 422, body: { error: 'email_required' } },
      ),
    ],
  },
]
