import type { StateCounts } from './state-file.js'

/** The result of one check; `found` says in words what was found. */
export type Check = {
  check: 'file' | 'server' | 'version' | 'integrity' | 'references' | 'sizes'
  ok: boolean
  found: string
}

/** The checks of a database, and how many records it has. The first failed check ends the list. */
export type CheckReport = { ok: boolean; checks: Check[]; records?: StateCounts }

/** The schema version of a database, compared with the one that this program knows. */
export function describeVersion(version: number, known: number): string {
  if (version === known) return `${version}, the newest`
  const note = version < known ? ', and migrates the database when it next opens it' : ''
  return `${version}; this program knows ${known}${note}`
}
