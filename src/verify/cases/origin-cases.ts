import { operationNames, operations } from '../../contract/operations.js'
import type { Case, CaseRequest, Expectation } from './case.js'
import { allProjects, failure, shortFailure } from './expectations.js'
import { bundle, create, given, join, list, own, step, update } from './requests.js'

// Requests that a browser sends for a page of another site. No fetch client can set these headers.

const origins: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  { origin: 'null' },
  { origin: 'https://localhost.evil.example' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', referer: 'https://evil.example/' },
]

const changes: [name: string, request: CaseRequest, expect: Expectation][] = [
  ['creation', create('acme-owner', { name: 'Evil' }), failure('CROSS_SITE_REFUSED')],
  ['update', update('acme-owner', own, { status: 'evil' }), failure('CROSS_SITE_REFUSED')],
  ['sign-up', join({ email: 'evil@example.com' }), shortFailure(403)],
]

const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }

export const originCases: Case[] = [
  ...changes.map(
    ([name, request, expect]): Case =>
      given(
        `A ${name} that a page of another site sends is refused`,
        'callers: other sites',
        ...origins.map((headers) => step({ ...request, headers, raw: true }, expect)),
        step(list('acme-owner'), allProjects()),
      ),
  ),
  given(
    'A page of another site may read nothing: the response names no allowed origin',
    'callers: other sites',
    ...[list('acme-owner'), bundle('acme-owner'), list()].flatMap((request, i) => [
      step({ ...request, raw: true }, { status: [200, 401] }),
      ...origins.map((headers) =>
        step({ ...request, headers, raw: true }, { status: [200, 401], sameAs: i * (origins.length + 1) }),
      ),
    ]),
  ),
  given(
    'A preflight request of another site is refused',
    'callers: other sites',
    ...operationNames.map((name) =>
      step(
        {
          method: 'OPTIONS',
          path: operations[name].path.replace(/\{\w+\}/, own),
          headers: preflight,
          raw: true,
        },
        { status: 405, headers: { 'access-control-allow-methods': null } },
      ),
    ),
  ),
  given(
    'A sign-out that a page of another site sends is refused',
    'callers: other sites',
    ...origins.map((headers) =>
      step(
        { method: 'POST', path: '/auth/sign-out', as: 'acme-viewer', headers, raw: true },
        { status: 403, headers: { 'set-cookie': null } },
      ),
    ),
    step(list('acme-viewer'), allProjects()),
  ),
]
