import { stringify } from 'csv-stringify/sync'
import type { WaitlistEntry } from '../../store/state.js'
import { listWaitlist } from './waitlist.js'
import { writeWhole } from './write-whole.js'

/** RFC 4180: CRLF, quoted where needed. What a spreadsheet would run as a formula gets an apostrophe in front. */
const csv = (entries: WaitlistEntry[]): string =>
  stringify(entries, {
    header: true,
    columns: ['email', 'createdAt'],
    record_delimiter: 'windows',
    escape_formulas: true,
  })

const formats = {
  csv,
  json: (entries: WaitlistEntry[]) => `${JSON.stringify(entries, undefined, 2)}\n`,
  ndjson: (entries: WaitlistEntry[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
}

export type ExportFormat = keyof typeof formats

/** Writes the waitlist to a file, whole or not at all; without a file, gives the text. */
export async function exportWaitlist(options: { database?: string; format: ExportFormat; output?: string }) {
  const { database, format, output } = options
  const entries = await listWaitlist(database)
  const text = formats[format](entries)
  if (output !== undefined) await writeWhole(output, [text])
  return { text, count: entries.length }
}
