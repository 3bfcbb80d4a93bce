import type { OperationName } from '../../../src/contract/operations.js'
import type { Context, Misbehaviour } from '../misbehaviours/misbehaviour.js'
import {
  allOperations,
  asCaller,
  both,
  changes,
  type Effect,
  editing,
  header,
  is,
  mutant,
  onProjects,
  query,
  reads,
  type When,
  withHeader,
  withStatus,
} from './request-mutant.js'

// A parameter or a header that an operation does not have, and that a server obeys.

const foreignTeam = ({ data }: Context): string[] => {
  const { teamId, organization, user } = data.bundle('globex-owner')
  return [teamId, organization.orgCode, user.id]
}
const ownerSession = ({ cookieOf }: Context) => cookieOf('acme-owner').replace('session=', '')

/** Where a value is sent: the condition that a request has it there. */
type Place = (name: string, has: (value: string, context: Context) => boolean) => When
const inQuery: Place = (name, has) => (request, context) =>
  query(request)
    .getAll(name)
    .some((value) => has(value, context))
const inHeader: Place = (name, has) => (request, context) => {
  const value = header(request, name)
  return value !== undefined && has(value, context)
}

type Kind = {
  names: string[]
  has: (value: string, context: Context) => boolean
  effects: Partial<Record<OperationName, Effect>>
}

const forEach = (operations: readonly OperationName[], effect: Effect) =>
  Object.fromEntries(operations.map((name) => [name, effect])) as Kind['effects']

const namesForeignTeam = (value: string, context: Context) => foreignTeam(context).includes(value)
const namesSession = (value: string, context: Context) =>
  value.replace(/^(Bearer|Session) /, '').replace('session=', '') === ownerSession(context)
const any = () => true

const queries: Kind[] = [
  {
    names: ['teamId', 'team', 'orgCode', 'org', 'organization', 'tenant', 'userId', 'as'],
    has: namesForeignTeam,
    effects: forEach([...reads, 'createProject'], asCaller('globex-owner')),
  },
  {
    names: ['session', 'token', 'access_token', 'api_key', 'sid'],
    has: namesSession,
    effects: forEach([...reads, ...changes], asCaller('acme-owner')),
  },
  {
    names: ['limit', 'page', 'per_page', 'pageSize', 'first', 'take', 'cursor', 'offset', 'skip', 'after'],
    has: any,
    effects: forEach(
      reads,
      onProjects((projects) => projects.slice(0, 1)),
    ),
  },
  {
    names: ['status', 'q', 'search', 'name', 'filter', 'since', 'id', 'archived'],
    has: any,
    effects: forEach(
      reads,
      onProjects(() => []),
    ),
  },
  {
    names: ['sort', 'order', 'orderBy', 'sort_by'],
    has: any,
    effects: forEach(
      reads,
      onProjects((projects) => projects.reverse()),
    ),
  },
  {
    names: ['fields', 'include', 'expand', 'select', 'embed'],
    has: any,
    effects: forEach(
      allOperations,
      editing((json) => ({ ...json, included: [] })),
    ),
  },
  {
    names: ['debug', 'verbose', 'trace', 'force', 'admin', 'v'],
    has: any,
    effects: forEach(allOperations, withStatus(500)),
  },
  {
    names: ['dryRun', 'dry_run', 'validate', 'preview'],
    has: any,
    effects: forEach(changes, withStatus(200)),
  },
  {
    names: ['callback', 'jsonp', 'format'],
    has: any,
    effects: forEach(allOperations, withHeader('content-type', 'text/javascript')),
  },
  { names: ['_method', 'method'], has: any, effects: forEach(allOperations, withStatus(405)) },
]

const headers: Kind[] = [
  {
    names: [
      'x-org-code',
      'x-organization',
      'x-team-id',
      'x-tenant-id',
      'x-user-id',
      'x-forwarded-user',
      'x-remote-user',
      'x-impersonate',
    ],
    has: namesForeignTeam,
    effects: forEach([...reads, 'createProject'], asCaller('globex-owner')),
  },
  {
    names: ['authorization', 'x-session', 'x-session-token', 'x-auth-token', 'x-api-key'],
    has: namesSession,
    effects: forEach([...reads, ...changes], asCaller('acme-owner')),
  },
  {
    names: ['x-role', 'x-permissions', 'x-admin', 'x-internal', 'x-real-ip', 'x-forwarded-for'],
    has: any,
    effects: forEach(changes, asCaller('acme-owner')),
  },
  { names: ['range'], has: any, effects: forEach(reads, withStatus(206)) },
  { names: ['if-none-match', 'if-modified-since'], has: any, effects: forEach(reads, withStatus(304)) },
  { names: ['if-match', 'if-unmodified-since'], has: any, effects: forEach(changes, withStatus(412)) },
  { names: ['accept'], has: (value) => value !== '*/*', effects: forEach(allOperations, withStatus(406)) },
  {
    names: ['accept-language'],
    has: (value) => value !== '*',
    effects: forEach(allOperations, withHeader('content-language', 'de')),
  },
  {
    names: ['x-http-method-override', 'x-http-method', 'x-method-override'],
    has: any,
    effects: forEach(['createProject', 'joinWaitlist', 'listProjects'], withStatus(405)),
  },
  { names: ['x-original-url', 'x-rewrite-url'], has: any, effects: forEach(allOperations, withStatus(404)) },
  {
    names: ['x-debug', 'x-test', 'x-requested-with', 'referer', 'user-agent', 'x-request-id'],
    has: (value) => value !== 'node',
    effects: forEach(allOperations, withStatus(500)),
  },
  { names: ['idempotency-key'], has: any, effects: forEach(changes, withStatus(200)) },
]

const generate = (kinds: Kind[], place: Place, what: string): Misbehaviour[] =>
  kinds.flatMap(({ names, has, effects }) =>
    names.flatMap((name) =>
      (Object.entries(effects) as [OperationName, Effect][]).map(([operation, effect]) =>
        mutant(`${operation} obeys ${what} ${name}`, both(is(operation), place(name, has)), effect),
      ),
    ),
  )

export const queryAndHeaderMutants: Misbehaviour[] = [
  ...generate(queries, inQuery, 'the query parameter'),
  ...generate(headers, inHeader, 'the header'),
]
