import type { Case, CaseRequest, Step } from './case.js'
import { bundle, create, each, failure, foreign, join, lacking, list, own, table, update } from './steps.js'

// No operation has query parameters, and no header but the cookie and the content type is part of the interface (sections
// 4 and 5). A response does not change with them.

/** Query parameters that other services obey: to choose a team, to page, filter and sort, to sign in. */
const queries = [
  '?teamId={otherTeam}&orgCode={otherOrganization}&userId={otherUser}&tenant={otherTeam}&id={foreign}',
  '?limit=1&offset=1&page=2&per_page=1&sort=name&order=asc&status=archived&fields=id&q=x&search=x&include=all',
  '?session={session}&token={session}&access_token={session}&api_key={session}',
  '?name=x&description=x&email=x&_method=DELETE&dryRun=true&debug=1&format=xml&callback=x&devMode=true&role=owner',
  '?a=%zz&%=%&b=%ff&=&&c?/d=e/f&id[]=1&id[]=2&__proto__[x]=1',
  '?',
]

/** Headers that other services obey: to choose a team, to grant permissions, to sign in, to change the request. */
const headers: Record<string, string>[] = [
  {
    'x-org-code': '{otherOrganization}',
    'x-team-id': '{otherTeam}',
    'x-tenant-id': '{otherTeam}',
    'x-user-id': '{otherUser}',
    'x-forwarded-user': '{otherUser}',
    'x-impersonate': '{otherUser}',
  },
  {
    'x-role': 'owner',
    'x-permissions': 'create:projects,update:projects',
    'x-admin': 'true',
    'x-internal': '1',
    'x-forwarded-for': '127.0.0.1',
    'x-dev-mode': 'true',
  },
  {
    authorization: 'Bearer {session}',
    'x-session': '{session}',
    'x-api-key': '{session}',
    'x-auth-token': '{session}',
  },
  {
    'x-http-method-override': 'DELETE',
    'x-original-url': '/v1/nothing',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    forwarded: 'for=127.0.0.1;host=evil.example;proto=gopher',
  },
  {
    accept: 'text/html, application/yaml',
    'accept-language': 'de-DE',
    prefer: 'return=minimal',
    range: 'bytes=0-9',
    'idempotency-key': 'same',
    'content-encoding': 'identity',
  },
  {
    'if-none-match': '*',
    'if-match': '"none"',
    'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT',
    'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
    'cache-control': 'max-age=600, only-if-cached',
  },
]

/** A request with each of the queries and headers above. */
const withAdditions = (request: Step): Step[] =>
  queries.map((query, i) => ({
    ...request,
    path: request.path + query,
    headers: { ...headers[i], ...request.headers },
  }))

const fresh = { name: 'Fresh' }
const withSession = { ...fresh, session: '{session}', token: '{session}', cookie: 'session={session}' }
const change = { status: 'x' }

/** Requests that change nothing; each is sent without additions first. */
const unchanging: [what: string, request: Step][] = [
  ['the list of owner', list('acme-owner')],
  ['the list of no-team', list('no-team')],
  ['the list of nobody', list(undefined, failure('AUTH_REQUIRED'))],
  ['the bundle of member', bundle('acme-member')],
  ['the bundle of no-organization', bundle('no-organization')],
  ['the bundle of nobody', bundle(undefined, { status: 401 })],
  ['a creation of nobody', create(undefined, fresh, failure('AUTH_REQUIRED'))],
  ['a creation with a session in its body', create(undefined, withSession, failure('AUTH_REQUIRED'))],
  ['a creation of viewer', create('acme-viewer', fresh, lacking)],
  ['a creation of no-team', create('no-team', fresh, failure('TEAM_MEMBERSHIP_REQUIRED'))],
  ['a taken name', create('acme-owner', { name: 'Website relaunch' }, failure('PROJECT_NAME_TAKEN'))],
  ['an update of nobody', update(undefined, own, change, failure('AUTH_REQUIRED'))],
  ['an update of viewer', update('acme-viewer', own, change, lacking)],
  ['an update of a foreign project', update('acme-owner', foreign, change, failure('PROJECT_NOT_FOUND'))],
  ['a sign-up', join({ email: 'ada@example.com' })],
]

/** Cookies that would choose another team or grant permissions. */
const cookies: CaseRequest['cookies'] = (of) => [
  `${of('acme-viewer')}; team={otherTeam}; teamId={otherTeam}; tenant={otherTeam}; orgCode={otherOrganization}`,
  'organization={otherOrganization}; userId={otherUser}; role=owner; admin=1; permissions=create:projects,update:projects',
]

const ignored = 'responses: query parameters and headers are ignored'

export const ignoredCases: Case[] = [
  ...each(
    unchanging,
    ignored,
    ([what]) => `The response to ${what} does not change with query parameters and headers`,
    ([, request]) => [
      request,
      withAdditions(request).map((step) => ({ ...step, expect: { ...request.expect, sameAs: 0 } })),
    ],
  ),
  ...table(ignored, {
    'A creation ignores query parameters and headers, and so does a list after it': withAdditions(
      create('acme-owner'),
    ).flatMap((step, i) => [
      { ...step, json: { name: `Ignoring ${i}` } },
      { ...list('acme-owner'), headers: headers[i] ?? {} },
    ]),
    'An update ignores query parameters and headers': withAdditions(update('acme-owner', own)).map(
      (step, i) => ({ ...step, json: { description: `Ignoring ${i}` } }),
    ),
    'Other cookies are ignored, and there may be several Cookie headers': [
      list('acme-viewer'),
      bundle('acme-viewer'),
      create('acme-viewer', fresh, lacking),
      update('acme-viewer', own, change, lacking),
    ].map((request) => ({ ...request, cookies, raw: true })),
  }),
]
