import type { Service } from './case.js'

// Query parameters and headers that other services obey. Here none of them decides anything.

export type Addition = { query: string; headers: Record<string, string> }

const parameters = (names: string[], value: string) =>
  names.map((name) => `${name}=${encodeURIComponent(value)}`).join('&')
const headersOf = (names: string[], value: string) =>
  Object.fromEntries(names.map((name) => [name, encodeURIComponent(value)]))

/** Query parameters and headers by which other services choose a team or a user, with those of the caller `other-owner`. */
export async function identities({ bundleOf }: Service): Promise<Addition[]> {
  const { teamId, organization, user } = await bundleOf('other-owner')
  return [
    {
      query: `?${parameters(['teamId', 'team_id', 'team', 'tenant', 'tenantId', 'account'], teamId)}`,
      headers: headersOf(['x-team-id', 'x-team', 'team', 'x-tenant-id', 'x-tenant', 'x-account-id'], teamId),
    },
    {
      query: `?${parameters(['orgCode', 'org_code', 'org', 'organization', 'organizationId'], organization.orgCode)}`,
      headers: headersOf(
        ['x-org-code', 'x-org', 'x-org-id', 'x-organization', 'x-organization-id', 'x-workspace'],
        organization.orgCode,
      ),
    },
    {
      query: `?${parameters(['userId', 'user_id', 'user', 'sub', 'as', 'impersonate'], user.id)}`,
      headers: headersOf(['x-user-id', 'x-user', 'x-forwarded-user', 'x-remote-user', 'x-sub'], user.id),
    },
    {
      query: `?${parameters(['email', 'userEmail', 'login', 'username'], user.email)}`,
      headers: headersOf(['x-user-email', 'x-forwarded-email', 'x-auth-request-email'], user.email),
    },
  ]
}

const both = 'create:projects,update:projects'
/** By which other services grant permissions. */
export const rights: Addition[] = [
  {
    query: `?${parameters(['permissions', 'permission', 'scope', 'scopes'], both)}&role=owner&admin=1&sudo=true`,
    headers: {
      ...headersOf(['x-permissions', 'x-scopes', 'x-scope'], both),
      'x-role': 'owner',
      'x-admin': 'true',
    },
  },
]

/** By which other services choose records, their fields and their order. */
const choices: Addition[] = [
  {
    query: '?limit=1&per_page=1&pageSize=1&first=1&offset=1&skip=1&page=2&cursor=x&after=x&before=x',
    headers: { range: 'items=0-0', 'x-limit': '1', 'x-page': '2' },
  },
  {
    query:
      '?sort=name&sortBy=name&order=asc&orderBy=createdAt&direction=asc&status=archived&filter=x&q=x&search=x',
    headers: { 'x-sort': 'name', 'x-filter': 'x' },
  },
  {
    query: '?fields=id&select=id&include=team&expand=team&embed=team&view=full',
    headers: { 'x-fields': 'id' },
  },
]

/** By which other services change the request or the form of the response. */
const protocol: Addition[] = [
  {
    query:
      '?_method=DELETE&dryRun=true&validate=only&debug=1&trace=1&verbose=1&format=xml&callback=x&devMode=true',
    headers: { 'x-debug': '1', 'x-dry-run': 'true', 'x-http-method-override': 'DELETE' },
  },
  {
    query: '?a=%zz&%=%&b=%ff&=&&c?/d=e/f&id[]=1&id[]=2&__proto__[x]=1',
    headers: {
      'x-original-url': '/v1/nothing',
      'x-rewrite-url': '/v1/nothing',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=127.0.0.1;host=evil.example;proto=gopher',
    },
  },
  {
    query: '?',
    headers: {
      accept: 'text/html, application/problem+json',
      'accept-language': 'de-DE',
      range: 'bytes=0-9',
      'content-encoding': 'identity',
      prefer: 'return=minimal, respond-async',
    },
  },
  {
    query: '?x=1',
    headers: { 'if-none-match': '*', 'if-match': '"none"', 'cache-control': 'max-age=600, only-if-cached' },
  },
  {
    query: '?_=1',
    headers: {
      'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT',
      'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
    },
  },
]

export const additionsOf = async (service: Service): Promise<Addition[]> => [
  ...(await identities(service)),
  ...rights,
  ...choices,
  ...protocol,
]
