import type { Column } from '../output/columns.js'

/** The table of checks, each with what was found. */
export const checkColumns: Column<{ check: string; ok: boolean; found: string }>[] = [
  { title: 'Check', value: ({ check }) => check },
  { title: 'Result', value: ({ ok }) => (ok ? 'ok' : 'FAILED') },
  { title: 'Found', value: ({ found }) => found, shrinks: true },
]
