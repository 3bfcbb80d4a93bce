import { type Operation, type OperationName, operations } from '../contract/operations.js'
import type { Session } from './handler.js'
import type { Reply, SuccessReply } from './reply.js'

/** What a reply depends on, as it was looked up for one request. */
export type Scope = {
  /** Names the operation and its parameters, and whose reply it is. */
  key: string
  /** The version of the team. */
  version: string
  /** What else the handler is given, compared as text; empty for a reply that is the same for the whole team. */
  seen: string
}

/** Replies in memory. */
export type ReplyCache = {
  /** The cached reply, if the rows that it was made from are unchanged. */
  find(scope: Scope): SuccessReply | undefined
  /** Makes a reply, and caches it. Concurrent calls that saw the same rows share one `load`. */
  load(scope: Scope, load: () => Promise<Reply>): Promise<Reply>
}

/**
 * What a reply is cached under, as the operation's entry says; undefined for one that is not cached.
 */
export function scopeOf(
  name: OperationName,
  session: Session,
  request: { params: Record<string, string>; query(): string },
): Scope | undefined {
  const { cache, permission, path, query }: Operation = operations[name]
  const { id, team, teamVersion: version } = session
  if (!cache || version === undefined) return undefined
  // What a handler sees of a request: no headers, and the query only if its operation has one.
  const seen = path.includes('{') || query ? JSON.stringify([request.params, query && request.query()]) : ''
  const key = `${name} ${seen}`
  // Where a permission is needed, the reply is for the sessions that have it.
  return cache === 'team' && permission === undefined && team
    ? { key: `${key} team ${team.id}`, version, seen: '' }
    : { key: `${key} session ${id}`, version, seen: JSON.stringify(session) }
}
