import type { StateCounts } from './state-file.js'

/** The result of one check; `found` says in words what was found. */
export type Check = {
  check: 'file' | 'server' | 'version' | 'integrity' | 'schema' | 'references' | 'sizes'
  ok: boolean
  found: string
}

/** The checks of a database, and how many records it has. The first failed check ends the list. */
export type CheckReport = { ok: boolean; checks: Check[]; records?: StateCounts }

/** The schema version of a database, compared with the one that this program knows. */
export function describeVersion(found: { version: number; oldest: number }, known: number): string {
  const { version, oldest } = found
  if (version === known) return `${version}, the newest`
  if (version < known) return `${version}; "database migrate" or "serve" migrates it to ${known}`
  const note = oldest <= known ? ', and works with it' : ''
  return `${version}; this program knows ${known}${note}`
}
