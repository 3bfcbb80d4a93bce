import type { ErrorCode } from '../../contract/errors.js'
import type { Reply } from '../../handlers/reply.js'

/** Which check decides with which code; the codes that are not here are the handler's own. */
const deciders: Partial<Record<ErrorCode, string>> = {
  ONBOARDING_REQUIRED: 'organisation check',
  TEAM_MEMBERSHIP_REQUIRED: 'team check',
  INSUFFICIENT_PERMISSIONS: 'permission check',
  EMPTY_QUERY_FILTER: 'path check',
  VALIDATION_FAILED: 'body check',
  NOT_FOUND: 'routing',
  METHOD_NOT_ALLOWED: 'routing',
  INTERNAL_ERROR: 'a fault of the mock',
}

/** Stands for a session cookie that is not the mock's and may be a secret, so that it is never kept. */
export const unknownCookie = '(unknown)'

/**
 * What decided an answer that nothing forced, in a few words.
 * @param cookie the session cookie, `unknownCookie` for one that is not the mock's
 */
export function explain({ code }: Reply, cookie?: string): string {
  if (code !== 'AUTH_REQUIRED') return (code && deciders[code]) ?? 'handler'
  if (cookie === undefined) return 'session check: no cookie, or two'
  return cookie === unknownCookie ? 'session check: unknown cookie' : 'session check: has run out'
}
