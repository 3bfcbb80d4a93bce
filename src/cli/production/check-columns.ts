import type { Columns } from '../output/columns.js'

/** The table of checks, each with what was found. */
export const checkColumns: Columns<{ check: string; ok: boolean; found: string }> = {
  Check: 'check',
  Result: ({ ok }) => (ok ? 'ok' : 'FAILED'),
  'Found*': 'found',
}
