import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText } from '../../../src/cli/production/decode-text.js'
import { formatOf } from '../../../src/cli/production/export-formats.js'
import { readRows } from '../../../src/cli/production/read-addresses.js'
import { readCsv } from '../../../src/cli/production/read-csv.js'
import type { WaitlistEntry } from '../../../src/store/state-file.js'

const createdAt = '2026-03-01T12:00:00.000Z'

test.each(['csv', 'json', 'ndjson'] as const)(
  '%s preserves addresses when exported and imported',
  async (format) => {
    const first = fc.constantFrom('=', '+', '-', '@', "'", "''", "'=", "''+", '\t', "'\t", '"', '\'"', '')
    const rest = fc.string({ unit: fc.constantFrom(...`ab1=+-@'",.\t `) })
    // The reader of CSV skips empty lines.
    const address = fc.tuple(first, rest).map(([start, end]) => `${start}${end}@example.com`)
    const property = fc.asyncProperty(fc.array(address, { maxLength: 5 }), async (emails) => {
      async function* entries() {
        for (const email of emails) yield { email, createdAt }
      }
      let text = ''
      for await (const chunk of formatOf<WaitlistEntry>(format, ['email', 'createdAt'])(entries()))
        text += chunk
      if (format === 'csv') expect(text).not.toMatch(/^"?[=+\-@\t]/m)
      const read = [...(await readRows(text, format))].map((row) => ('value' in row ? row.value : row))
      expect(read).toEqual(emails.map((email) => ({ email, createdAt })))
    })
    await fc.assert(property, { numRuns: 100 })
  },
)

/** Files as spreadsheets write them: LibreOffice has options for the delimiter and quotes, Excel a menu entry for each form. */
const spreadsheets: Record<string, (rows: string[][]) => Uint8Array> = {
  'LibreOffice on Linux': (rows) => written(rows, { delimiter: ',', end: '\n' }),
  'LibreOffice with quoted text': (rows) => written(rows, { delimiter: ';', end: '\n', isQuoted: true }),
  'LibreOffice in UTF-16': (rows) =>
    Buffer.from(`\uFEFF${written(rows, { delimiter: ',', end: '\n' })}`, 'utf16le'),
  'Excel, CSV UTF-8': (rows) => Buffer.from(`\uFEFF${written(rows, { delimiter: ',', end: '\r\n' })}`),
  'Excel, CSV UTF-8 of a country with decimal commas': (rows) =>
    Buffer.from(`\uFEFF${written(rows, { delimiter: ';', end: '\r\n' })}`),
  'Excel, Unicode text': (rows) =>
    Buffer.from(`\uFEFF${written(rows, { delimiter: '\t', end: '\r\n' })}`, 'utf16le'),
  'a program that writes for Excel': (rows) =>
    Buffer.from(`\uFEFFsep=;\r\n${written(rows, { delimiter: ';', end: '\r\n', isQuoted: true })}`),
}

function written(
  rows: string[][],
  { delimiter, end, isQuoted = false }: { delimiter: string; end: string; isQuoted?: boolean },
) {
  const cellOf = (text: string) =>
    isQuoted || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text
  return Buffer.from(rows.map((cells) => cells.map(cellOf).join(delimiter) + end).join(''))
}

test.each(Object.entries(spreadsheets))('%s preserves every export of CSV', async (_, write) => {
  const text = fc.string({
    unit: fc.constantFrom(...`ab1=+-@'",;|.\t `, '\n', 'é', '＝', '💡'),
    maxLength: 12,
  })
  const rowOf = (columns: string[]) =>
    fc.array(fc.tuple(...columns.map((_, i) => (i === 0 ? text.map((end) => `x${end}`) : text))), {
      maxLength: 5,
    })
  const audit = ['at', 'action', 'outcome', 'reason', 'via', 'operator', 'details', 'id']
  for (const columns of [['email', 'createdAt'], audit]) {
    const property = fc.asyncProperty(rowOf(columns), async (rows) => {
      async function* entries() {
        for (const row of rows) yield Object.fromEntries(columns.map((column, i) => [column, row[i]]))
      }
      let exported = ''
      for await (const chunk of formatOf<Record<string, unknown>>('csv', columns)(entries()))
        exported += chunk
      const isHeader = (cells: string[]) => cells.includes(columns[0] ?? '')
      const read = (bytes: Uint8Array) =>
        readCsv(decodeText(bytes).text, isHeader).records.map(({ cells }) => cells)
      const shown = read(Buffer.from(exported))
      expect(
        shown.slice(1).map((cells) => cells.map((cell) => cell.replace(/^'(?=[=+\-@＝\t\r\n'])/, ''))),
      ).toEqual(rows)
      // Spaces before a cell without quotes are removed.
      const trimmed = (all: string[][]) => all.map((cells) => cells.map((cell) => cell.trim()))
      expect(trimmed(read(write(shown)))).toEqual(trimmed(shown))
    })
    await fc.assert(property, { numRuns: 60 })
  }
})
