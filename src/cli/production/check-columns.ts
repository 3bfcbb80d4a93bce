import { columnsOf } from '../output/columns.js'

/** The table of checks, each with what was found. */
export const checkColumns = columnsOf<{ check: string; ok: boolean; found: string }>(
  'Check, Result, Found*',
  ({ check, ok, found }) => [check, ok ? 'ok' : 'FAILED', found],
)
