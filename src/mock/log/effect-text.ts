import type { LogEntry } from './log-entry.js'
import type { ChangedRecord } from './log-summary.js'

const signs = { added: '+', changed: '', removed: '−' } as const

/** A changed record in a line: `+ Roadmap`, `Roadmap: name, status`, `− Roadmap`. */
export const changeText = ({ change, name, fields = [] }: ChangedRecord): string =>
  change === 'changed' ? `${name}: ${fields.join(', ')}` : `${signs[change]} ${name}`

/** The effect of a request in a line: the records that it changed, else what was wrong with it. */
export function effectText({
  changed = [],
  fault,
  about,
}: Pick<LogEntry, 'changed' | 'fault' | 'about'>): string {
  const [first] = changed
  if (first) return `${changeText(first)}${changed.length > 1 ? `, ${changed.length - 1} more` : ''}`
  return fault ?? (about === undefined ? '' : `“${about}”`)
}
