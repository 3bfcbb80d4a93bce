import { type Operation, type OperationName, operations } from '../contract/operations.js'
import type { Session } from './handler.js'
import { oncePerObject } from './once-per-object.js'
import type { Reply, SuccessReply } from './reply.js'

/** The dependencies of a reply, as read for one request. */
export type Scope = {
  /** The operation with its parameters, and the team or session of the reply. */
  key: string
  version: string
  /** The handler's other inputs, as text. Empty for a reply that a whole team shares. */
  inputs: string
}

export type ReplyCache = {
  /** Returns the cached reply if its rows are unchanged. */
  find(scope: Scope): SuccessReply | undefined
  /** Makes and caches a reply. Concurrent calls with equal scopes share one `load`. */
  load(scope: Scope, load: () => Promise<Reply>): Promise<Reply>
}

/** The scope of a reply that the operation's entry allows to cache. */
export function scopeOf(
  name: OperationName,
  session: Session,
  request: { params: Record<string, string>; query(): string },
): Scope | undefined {
  const { cache, permission, path, query }: Operation = operations[name]
  const { id, team, teamVersion: version } = session
  if (!cache || version === undefined) return undefined
  // A handler sees no headers, and the query only if its operation has one.
  const parameters =
    path.includes('{') || query ? JSON.stringify([request.params, query && request.query()]) : ''
  const key = `${name} ${parameters}`
  // If a permission is needed, the reply is for sessions that have it.
  return cache === 'team' && permission === undefined && team
    ? { key: `${key} team ${team.id}`, version, inputs: '' }
    : { key: `${key} session ${id}`, version, inputs: textOf(session) }
}

const textOf = oncePerObject((session: Session) => JSON.stringify(session))
