import type { StateCounts } from './state-file.js'

/** The result of one check; `found` says in words what was found. */
export type Check = {
  check: 'file' | 'server' | 'version' | 'integrity' | 'schema' | 'references' | 'sizes'
  ok: boolean
  found: string
}

/** The checks of a database, and how many records it has. The first failed check ends the list. */
export type CheckReport = { ok: boolean; checks: Check[]; records?: StateCounts }
