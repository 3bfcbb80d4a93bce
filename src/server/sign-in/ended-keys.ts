import { createHash } from 'node:crypto'
import type { Identity } from '../../store/state-file.js'
import type { ProviderLogout } from '../../store/store.js'

const keyOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

const subjectKey = (issuer: string, subject: string) => keyOf('subject', issuer, subject)
const sessionKey = (issuer: string, sid: string) => keyOf('sid', issuer, sid)
/** The key of a subject's sessions that the provider does not name. */
const unnamedKey = (issuer: string, subject: string) => keyOf('subject without sid', issuer, subject)

/** The keys of a logout at the provider, without personal data: see `revokeSessionsOfProvider`. */
export function keysOfLogout({ issuer, subject, sid }: ProviderLogout): string[] {
  if (sid === undefined) return subject === undefined ? [] : [subjectKey(issuer, subject)]
  return [sessionKey(issuer, sid), ...(subject === undefined ? [] : [unnamedKey(issuer, subject)])]
}

/** The keys of a sign-in, none of which may have ended. */
export const keysOfSignIn = ({ issuer, subject }: Identity, sid: string | undefined): string[] => [
  subjectKey(issuer, subject),
  sid === undefined ? unnamedKey(issuer, subject) : sessionKey(issuer, sid),
]
