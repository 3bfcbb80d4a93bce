import { Readable } from 'node:stream'
import type { Command } from 'commander'
import type { WaitlistEntry } from '../../store/state-file.js'
import { addCommand } from '../define-command.js'
import { databaseOption, jsonOption } from '../options.js'
import { columnsOf } from '../output/columns.js'
import { pluralize } from '../output/pluralize.js'
import { withProgress } from '../output/progress.js'
import type { Result } from '../output/show.js'
import { eraseLog } from './confirm-removal.js'
import { defineExport } from './export-rows.js'
import { normalizeEmail } from './find-records.js'
import { withDatabase } from './open-database.js'
import { storeCommand } from './store-command.js'
import { filterEntries, filterOptions } from './waitlist-filter.js'
import { defineImport } from './waitlist-import-command.js'

const formulaNote = `
In CSV, a cell that begins with = + - @ ', a tab or a carriage return is prefixed with an apostrophe, so that no
spreadsheet runs it as a formula. An import removes it. JSON and NDJSON contain the addresses unchanged.`

export const define = (group: Command) => {
  storeCommand(group, 'list', {
    about: 'List the waitlist, newest first.',
    options: [...filterOptions(), ['--search <text>', 'only addresses that contain this text']],
    examples: ['', '--search @example.com --json'],
    read: (store, filter) => ({
      table: {
        name: 'waitlist',
        columns,
        rows: filterEntries(store, filter).entries,
        emptyText: 'No address matches.',
      },
    }),
  })

  storeCommand(group, 'add <email>', {
    about: 'Add an address to the waitlist, trimmed and lower-cased.',
    args: ['the address'],
    examples: ['ada@example.com', '-- -begins-with-a-dash@example.com'],
    check: ({ email }) => normalizeEmail(email),
    async write(store, given) {
      const email = await normalizeEmail(given.email)
      const added = await store.addToWaitlist({ email, createdAt: new Date().toISOString() })
      const message = added ? `Added ${email}.` : `${email} is on the waitlist already.`
      return { message, data: { email, added }, lines: [email] }
    },
  })

  addCommand(group, 'remove <email>', {
    about: 'Remove an address, trimmed and lower-cased, from the waitlist.',
    args: ['the address'],
    options: [databaseOption(), jsonOption()],
    examples: ['ada@example.com'],
    async run(given) {
      const email = await normalizeEmail(given.email)
      const removed = await withDatabase(given.database, (store) => store.removeFromWaitlist(email))
      if (removed) await eraseLog(given.database)
      const message = removed ? `Removed ${email}.` : `${email} is not on the waitlist.`
      return { message, data: { email, removed }, lines: [email] }
    },
  })

  defineImport(group)

  storeCommand(group, 'stats', {
    about: 'Count the addresses per day (UTC) and per domain.',
    options: filterOptions(),
    examples: ['', '--since 2026-01-01 --json'],
    async read(store, filter) {
      const { entries, count } = filterEntries(store, filter)
      return statsResult(await countEntries(entries, await count()))
    },
  })

  defineExport(group, {
    about: 'Export the waitlist, newest first, to a file or to stdout.',
    options: filterOptions(),
    notes: formulaNote,
    examples: ['--output waitlist.csv', '--format ndjson --since 2026-01-01'],
    unit: ['address', 'addresses'],
    formats: ['csv', 'json', 'ndjson'],
    formatNote: 'csv (RFC 4180), json (an array) or ndjson (one entry a line)',
    load: async () => (await import('./export-formats.js')).waitlistFormats,
    // Addresses that are added during the export are not in it.
    select: filterEntries,
  })
}

const columns = columnsOf<WaitlistEntry>('Email*, Since', ({ email, createdAt }) => [email, createdAt])

/** Counts by day, the oldest first, and by domain, the most frequent first. */
async function countEntries(entries: AsyncIterable<WaitlistEntry>, expected: number) {
  const days = new Map<string, number>()
  const domains = new Map<string, number>()
  const increment = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  let total = 0
  await withProgress({ unit: 'addresses', total: expected }, {}, async (report) => {
    for await (const { email, createdAt } of entries) {
      increment(days, createdAt.slice(0, 10))
      increment(domains, email.slice(email.lastIndexOf('@') + 1))
      total += 1
      report(total)
    }
  })
  return {
    total,
    days: [...days].reverse().map(([day, count]) => ({ day, count })),
    domains: [...domains]
      .map(([domain, count]) => ({ domain, count }))
      .sort((a, b) => b.count - a.count || (a.domain < b.domain ? -1 : 1)),
  }
}

type Count = { by: 'day' | 'domain'; of: string; count: number }

/** A table; on a terminal each count has a bar. */
function statsResult({ total, days, domains }: Awaited<ReturnType<typeof countEntries>>): Result {
  const rows = [
    ...days.map(({ day, count }): Count => ({ by: 'day', of: day, count })),
    ...domains.map(({ domain, count }): Count => ({ by: 'domain', of: domain, count })),
  ]
  const most = { day: 1, domain: 1 }
  for (const { by, count } of rows) most[by] = Math.max(most[by], count)
  const bar = ({ by, count }: Count) => '█'.repeat(Math.ceil((count / most[by]) * 40))
  const columns = columnsOf<Count>('By, Of*, Addresses', ({ by, of, count }) => [by, of, String(count)])
  if (process.stdout.isTTY) columns.push({ title: ' ', value: bar, tone: () => 'good', shrinks: true })
  return {
    message: `${pluralize(total, 'address', 'addresses')}.`,
    data: { total, days, domains },
    table: { columns, rows: Readable.from(rows), emptyText: 'The waitlist is empty.' },
  }
}
