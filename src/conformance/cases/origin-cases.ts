import { operationNames, operations } from '../../contract/operations.js'
import type { Case, Step } from './case.js'
import { bundle, create, each, failure, join, list, own, table, update, words } from './steps.js'

// Requests that a browser sends for a page of another site. No fetch client can set these headers.

const origins: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-user': '?1' },
  { origin: 'null' },
  { origin: 'https://localhost.evil.example', 'x-csrf-token': 'x', 'x-xsrf-token': 'x' },
  { 'sec-fetch-site': 'cross-site', 'x-requested-with': 'XMLHttpRequest', referer: 'https://evil.example/' },
]

/** Origins that look like the own one, or are of no site. */
const lookAlikes = words(`{origin}.evil.example https://evil.example/{origin} https://evil-localhost
  https://user@evil.example file:// chrome-extension://evil app://localhost`).map((origin) => ({ origin }))

const ownPage: Record<string, string>[] = [
  { origin: '{origin}', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
  { origin: '{origin}' },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
]

const refused = failure('CROSS_SITE_REFUSED')
const creation = create('acme-owner', { name: 'Evil' }, refused)
const stays = { status: 403, headers: { 'set-cookie': null } }
/** Some have a fault that is checked later. */
const changes: [name: string, request: Step][] = [
  ['creation', creation],
  ['broken creation', { ...create('acme-viewer', undefined, refused), bytes: '{', type: 'text/plain' }],
  ['update', update('acme-owner', own, { status: 'evil' }, refused)],
  ['update without a session', update(undefined, own, { status: 'evil' }, refused)],
  ['sign-up', join({ email: 'evil@example.com' }, { status: 403 })],
  ['sign-out', { method: 'POST', path: '/auth/sign-out', as: 'acme-viewer', expect: stays }],
]

export const originCases: Case[] = [
  // The mock allows the pages of its machine.
  ...table(
    { requirement: 'callers: other sites', mode: 'production' },
    {
      'A page of another port, or below the own host, may not write': words('{otherPort} {subdomain}').map(
        (origin) => ({ ...creation, headers: { origin }, raw: true }),
      ),
    },
  ),
  ...each(
    changes,
    'callers: other sites',
    ([name]) => `A ${name} that a page of another site sends is refused first of all`,
    ([, request]) => [
      [...origins, ...lookAlikes].map((headers) => ({ ...request, headers, raw: true })),
      list('acme-viewer'),
    ],
  ),
  ...table('callers: other sites', {
    'A page of the own site may create and update': ownPage.flatMap((headers, i) => [
      { ...create('acme-owner', { name: `Own ${i}` }), headers, raw: true },
      { ...update('acme-owner', own, {}), headers, raw: true },
    ]),
    'A page of another site may read nothing: the response names no allowed origin': [
      list('acme-owner'),
      bundle('acme-owner'),
      list(undefined, failure('AUTH_REQUIRED')),
    ].flatMap((request, i) => [
      { ...request, raw: true },
      ...origins.map((headers) => {
        const expect = { ...request.expect, sameAs: i * (origins.length + 1) }
        return { ...request, headers, raw: true, expect }
      }),
    ]),
    'A preflight request of another site is refused': operationNames.map((name) => {
      const { path, method } = operations[name]
      const preflight = { origin: 'https://evil.example', 'access-control-request-method': method }
      const expect = { status: 405, headers: { 'access-control-allow-methods': null } }
      return { method: 'OPTIONS', path: path.replace(/\{\w+\}/, own), headers: preflight, raw: true, expect }
    }),
  }),
]
