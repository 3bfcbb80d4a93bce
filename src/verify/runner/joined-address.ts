import type { CaseRequest, ReceivedResponse } from '../cases/case.js'
import { parseJson } from './target.js'

/** The address that a request has put on the waitlist, trimmed and lower-cased (section 4.5); undefined if none. */
export function joinedAddress(
  { method, path, json, bytes }: CaseRequest,
  { status }: ReceivedResponse,
): string | undefined {
  if (method !== 'POST' || path !== '/v1/waitlist' || status >= 300) return undefined
  const { email } = Object(
    json ?? parseJson(typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)),
  )
  return typeof email === 'string' ? email.trim().toLowerCase() : undefined
}
