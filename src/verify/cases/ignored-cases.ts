import type { Case, CaseRequest, Step } from './case.js'
import { bundle, create, each, failure, foreign, join, lacking, list, own, table, update } from './steps.js'

// No operation has query parameters, and none but the cookie and the content type are headers of the interface
// (sections 4 and 5). A response does not change with them: each request has as many as it can, with values that would
// matter if they were obeyed. The first names are those that may choose a tenant, a user or a record.

export const parameters =
  `action active actor after all api api_key apikey as asc auth before by code compact company created_after cursor
created_by createdAt customer data date dateFrom dateTo description domain email embed exclude expand filter from group
group_by groupBy hidden id ids impersonate include includeArchived includeDeleted index internal key keys kind last
match me member min mine minimal name names namespace on only org orgCode org_code orgId organization organizationId
organization_id owner ownerId pagination parent path permission permissions picture plain preview profile project
projectId project_id projects q query region role roles scope search secret select session sessionId show sid since
source space startAfter state status sub subject team teamCode team_id teamId teams tenant tenantId tenant_id to token
transform update updated url user user_id userId username validate value view where with workspace x _format $filter
$select access_token sudo su admin root bypass override team-id org-code $expand $search $format _embed _expand _token
first_name idempotency_key loginAs page_token pageToken since_id sorting startIndex uid uuid view_as allow archived at
beta bulk cache callback columns count explain force format debug deep default delete deleted depth desc describe dev
devMode dir direction draft dryRun dry_run enable end env envelope export extend feature field fields file first flags
fmt full ignore items json jsonp lang language lax level limit lite locale max merge meta method mock mode next nocache
noCache nonce now numeric offset op open operation option order order_by orderBy overwrite page page_size pageNumber
pageSize part patch per_page perPage persist pretty private public range raw refresh replace reset result return rows
safe sign silent simulate size skip slug sort sort_by sortBy sortOrder start strict summary suspend take test text top
total trace trim type ui unsafe until upsert v verbose version visibility yes _method _limit _page _sort $top jwt $skip
$count $orderby _start _end _order _fields _envelope honeypot phone populate q[]`.split(/\s+/)

/** Proxies accept request lines of 8 KiB; an id in the place of a placeholder may have 40 characters. */
const choosing = parameters.slice(0, 160)
const queryOf = (value: string) =>
  (value.startsWith('{') ? choosing : parameters).map((name) => `${name}=${value}`).join('&')

/** Headers of a text that has `name=value`, or names alone, for a value. */
const headersOf = (pairs: string, value = ''): Record<string, string> =>
  Object.fromEntries(pairs.split(/\s+/).map((pair) => [...pair.split(/=(.*)/s), value].slice(0, 2)))

const tenantHeaders = `x-org x-org-code x-org-id x-organization x-organization-id x-organization-code x-team x-team-id
x-team-code x-tenant x-tenant-id x-account x-account-id x-user x-user-id x-user-email x-username x-forwarded-user
x-forwarded-email x-remote-user remote-user x-authenticated-user x-auth-user x-auth-request-user x-impersonate
x-impersonate-user organization x-act-as x-acting-as x-on-behalf-of x-sudo x-workspace x-workspace-id x-project x-project-id`

const gatewayHeaders = `x-authenticated-userid x-consumer-id x-consumer-username x-consumer-custom-id
x-credential-identifier x-amzn-oidc-identity x-ms-client-principal-id x-ms-client-principal-name
x-goog-authenticated-user-email cf-access-authenticated-user-email x-webauth-user x-forwarded-preferred-username
x-forwarded-groups x-hasura-user-id x-hasura-org-id x-principal x-subject x-sub x-login x-userid x-user-name x-group
x-member-id x-org-slug x-client-id x-owner x-actor x-scope x-realm x-customer-id x-company-id orgcode teamid tenant`

const sessionHeaders = `x-session x-session-id x-session-token x-auth x-auth-token x-access-token x-api-key api-key
x-token token session sid x-sid x-csrf x-parse-session-token x-amzn-oidc-accesstoken x-amzn-oidc-data
x-goog-iap-jwt-assertion cf-access-jwt-assertion x-id-token id-token x-bearer x-secret x-cookie cookie2 x-authorization
x-jwt x-amz-security-token`

const grantingHeaders = `x-role=owner x-roles=owner,admin x-user-role=admin x-scopes=create:projects
x-permissions=create:projects,update:projects x-permission=create:projects x-admin=true x-is-admin=1 x-internal=1
x-internal-request=true x-service=gateway x-trusted=true x-bypass=1 x-skip-auth=true x-test=1 x-dev-mode=true
x-real-ip=127.0.0.1 x-forwarded-for=127.0.0.1 x-client-ip=127.0.0.1 true-client-ip=127.0.0.1 x-hasura-role=admin
x-hasura-admin-secret=x x-client-role=owner x-access=all x-scope-override=all user-agent=curl/8.5.0 x-forwarded-port=80
x-forwarded-ssl=off x-scheme=http front-end-https=off x-ssl-client-verify=SUCCESS x-http-method-override=DELETE
x-http-method=DELETE x-method-override=GET x-original-url=/v1/nothing x-rewrite-url=/v1/nothing
x-original-uri=/v1/nothing x-original-method=DELETE x-forwarded-host=evil.example x-forwarded-proto=gopher
x-forwarded-prefix=/evil x-host=evil.example forwarded=for=127.0.0.1;host=evil.example;proto=gopher`

const meaningHeaders = `accept=text/html,application/xml;q=0.9 accept-language=de-DE,ar;q=0.5 accept-charset=iso-8859-1
accept-profile=other accept-version=2 x-forwarded-proto=http sec-fetch-mode=navigate sec-fetch-dest=document
sec-fetch-user=?1 hx-request=true x-inertia=true api-version=2 version=2 pragma=no-cache
cache-control=max-age=600,only-if-cached idempotency-key=same x-idempotency-key=same x-request-id=chosen
x-correlation-id=chosen x-debug=1 x-verbose=1 x-dry-run=true x-validate-only=true x-requested-with=XMLHttpRequest
x-csrf-token=x x-timezone=Asia/Tokyo purpose=prefetch sec-purpose=prefetch content-language=de x-page=2 x-limit=1
x-fields=id x-include=all dnt=1 save-data=on prefer=return=minimal content-encoding=identity content-md5=x
digest=sha-256=x content-location=/v1/nothing authorization=Basic user-agent=Mozilla/5.0 referer=https://other.example/
from=ada@example.com range=bytes=0-9 if-none-match=* if-match="none"`

const future = { 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' }
const past = { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }
/** Some proxies accept 100 headers, and add some of their own. */
const headers = [tenantHeaders, gatewayHeaders].flatMap((names): Record<string, string>[] => [
  {
    ...headersOf(names, '{otherOrganization}'),
    ...headersOf(sessionHeaders, '{session}'),
    authorization: 'Bearer {session}',
    accept: 'application/vnd.x+json; version=2, text/csv, text/event-stream',
  },
  { ...headersOf(names, '{otherTeam}'), ...headersOf(grantingHeaders), accept: 'application/yaml' },
  { ...headersOf(names, '{otherUser}'), ...headersOf(meaningHeaders), ...past, ...future },
])

/** Query parameters, with headers by turns; long ones without a session, which may have hundreds of characters. */
const withoutSession = headers.filter(({ authorization = '' }) => !authorization.includes('session'))
const everything = [
  '',
  'a=%zz&%=%&b=%ff&=&&c?/d=e/f',
  'session={session}&token={session}&access_token={session}&api_key={session}&sid={session}&auth={session}',
  'id=a&id=b&ids[]=1&filter[status]=archived&where={"status":"x"}&__proto__[x]=1',
  ...['1', '2', 'true', 'active', '{otherTeam}', '{otherOrganization}', '{otherUser}', foreign].map(queryOf),
].map((query, i) => ({ query, headers: (i < 6 ? headers[i] : withoutSession[i % 4]) ?? {} }))

/** For changes, which leave something behind, and for callers whose request others cover. */
const some = [...everything.slice(0, 6), ...everything.slice(-1)]

const withAddition = (request: Step, { query, headers }: (typeof everything)[number]): Step => ({
  ...request,
  path: `${request.path}?${query}`,
  headers: { ...headers, ...request.headers },
})

const fresh = { name: 'Fresh' }
const withSession = { ...fresh, session: '{session}', token: '{session}', cookie: 'session={session}' }
const change = { status: 'x' }

/** Requests whose response does not change with an addition; each is sent without one first. */
const unchanging: [what: string, request: Step, additions?: typeof everything][] = [
  ['the list of owner', list('acme-owner'), everything],
  ['the list of no-team', list('no-team')],
  ['the list of nobody', list(undefined, failure('AUTH_REQUIRED')), everything],
  ['the bundle of member', bundle('acme-member'), everything],
  ['the bundle of no-organization', bundle('no-organization')],
  ['the bundle of nobody', bundle(undefined, { status: 401 })],
  ['a creation of nobody', create(undefined, fresh, failure('AUTH_REQUIRED'))],
  ['a creation with a session in its body', create(undefined, withSession, failure('AUTH_REQUIRED'))],
  ['a creation of viewer', create('acme-viewer', fresh, lacking), everything],
  ['a creation of no-team', create('no-team', fresh, failure('TEAM_MEMBERSHIP_REQUIRED'))],
  ['a taken name', create('acme-owner', { name: 'Website relaunch' }, failure('PROJECT_NAME_TAKEN'))],
  ['an update of nobody', update(undefined, own, change, failure('AUTH_REQUIRED'))],
  ['an update of viewer', update('acme-viewer', own, change, lacking), everything],
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
    ([, request, additions = some]) => [
      request,
      additions.map((addition) => ({
        ...withAddition(request, addition),
        expect: { ...request.expect, sameAs: 0 },
      })),
    ],
  ),
  ...table(ignored, {
    'A creation ignores query parameters and headers, and so does a list after it': some.flatMap(
      (addition, i) =>
        [create('acme-owner', { name: `Ignoring ${i}` }), list('acme-owner')].map((request) =>
          withAddition(request, addition),
        ),
    ),
    'An update ignores query parameters and headers': everything.map((addition, i) =>
      withAddition(update('acme-owner', own, { description: `Ignoring ${i}` }), addition),
    ),
    'Other cookies are ignored, and there may be several Cookie headers': [
      list('acme-viewer'),
      bundle('acme-viewer'),
      create('acme-viewer', fresh, lacking),
      update('acme-viewer', own, change, lacking),
    ].map((request) => ({ ...request, cookies, raw: true })),
  }),
]
