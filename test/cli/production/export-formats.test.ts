import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatOf } from '../../../src/cli/production/export-formats.js'
import { readRows } from '../../../src/cli/production/read-addresses.js'
import type { WaitlistEntry } from '../../../src/store/state-file.js'

const createdAt = '2026-03-01T12:00:00.000Z'

test.each(['csv', 'json', 'ndjson'] as const)(
  '%s gives back the addresses that it was given',
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
      const read = [...readRows(text, format)].map((row) => ('value' in row ? row.value : row))
      expect(read).toEqual(emails.map((email) => ({ email, createdAt })))
    })
    await fc.assert(property, { numRuns: 100 })
  },
)
