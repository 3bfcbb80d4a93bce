import type { Columns } from '../output/columns.js'

/** The table of checks with their results. */
export const checkColumns: Columns<{ check: string; ok: boolean; found: string }> = {
  Check: 'check',
  Result: ({ ok }) => (ok ? 'ok' : 'FAILED'),
  Found: { value: 'found', minWidth: 8 },
}
