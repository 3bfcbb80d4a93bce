import type { ErrorCode } from '../../contract/errors.js'
import type { Reply } from '../../handlers/reply.js'
import type { MockCaller } from '../state/personas.js'

/** The check that answers with a code. The handler answers with other codes. */
const checks: Partial<Record<ErrorCode, string>> = {
  ONBOARDING_REQUIRED: 'organisation check',
  TEAM_MEMBERSHIP_REQUIRED: 'team check',
  INSUFFICIENT_PERMISSIONS: 'permission check',
  EMPTY_QUERY_FILTER: 'path check',
  VALIDATION_FAILED: 'validation',
  NOT_FOUND: 'routing',
  METHOD_NOT_ALLOWED: 'routing',
  INTERNAL_ERROR: 'a fault of the mock',
}

/**
 * Names the check or handler that decided a reply without a scenario.
 * @param absence why the caller has no persona
 * @param hint why a browser may have sent no cookie
 */
export function explain({ code }: Reply, absence?: MockCaller['absence'], hint?: string): string {
  if (code === undefined) return 'handler'
  if (code !== 'AUTH_REQUIRED') return checks[code] ?? 'handler'
  return `session check: ${absence ?? hint ?? 'no cookie'}`
}
