import type { StateCounts } from './state-file.js'

/** The result of one check; `found` says in words what was found. */
export type Check = {
  check: 'file' | 'server' | 'version' | 'integrity' | 'schema' | 'references' | 'sizes'
  ok: boolean
  found: string
}

/** The checks of a database, and how many records it has. The first failed check ends the list. */
export type CheckReport = { ok: boolean; checks: Check[]; records?: StateCounts }

/** Begins a report: `add` tells whether to go on. */
export function createReport() {
  const checks: Check[] = []
  return {
    add(check: Check['check'], ok: boolean, found: string): boolean {
      checks.push({ check, ok, found })
      return ok
    },
    end: (records?: StateCounts): CheckReport => ({ ok: checks.every(({ ok }) => ok), checks, records }),
  }
}
