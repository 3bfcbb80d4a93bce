import type { Command } from 'commander'
import type { WaitlistEntry } from '../../store/state-file.js'
import type { Columns } from '../output/columns.js'
import { pluralize } from '../output/pluralize.js'
import { withProgress } from '../output/progress.js'
import type { CommandResult } from '../output/show.js'
import { defineExport } from './export-command.js'
import { type FoundEntries, filterWaitlist, normalizeEmail, tableRows } from './find-records.js'
import { periodOptions } from './parse-time.js'
import { storeCommand } from './store-command.js'
import { defineImport } from './waitlist-import-command.js'

export const define = (group: Command) => {
  storeCommand(group, 'list', {
    about: 'List the waitlist, newest first.',
    options: [...periodOptions(), ['--search <text>', 'only addresses that contain this text']],
    examples: ['', '--search @example.com --json'],
    read: (store, filter) => ({
      table: {
        name: 'waitlist',
        columns,
        ...tableRows(filterWaitlist(store, filter)),
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

  storeCommand(group, 'remove <email>', {
    about: 'Remove an address, trimmed and lower-cased, from the waitlist.',
    args: ['the address'],
    examples: ['ada@example.com'],
    check: ({ email }) => normalizeEmail(email),
    async remove(_, given) {
      const email = await normalizeEmail(given.email)
      return {
        removal: { waitlist: [email] },
        done({ waitlist }) {
          const message = waitlist > 0 ? `Removed ${email}.` : `${email} is not on the waitlist.`
          return { message, data: { email, removed: waitlist > 0 }, lines: [email] }
        },
      }
    },
  })

  defineImport(group)

  storeCommand(group, 'stats', {
    about: 'Count the addresses per day (UTC) and per domain.',
    options: periodOptions(),
    examples: ['', '--since 2026-01-01 --json'],
    read: (store, filter) => countEntries(filterWaitlist(store, filter)),
  })

  defineExport(group, {
    about: 'Export the waitlist, newest first, to a file or to stdout.',
    options: periodOptions(),
    notes:
      '\nCells of CSV that a spreadsheet would run as formulas begin with an apostrophe, which an import removes.',
    examples: ['--output waitlist.csv', '--format ndjson --since 2026-01-01'],
    unit: ['address', 'addresses'],
    formats: ['csv', 'json', 'ndjson'],
    formatNote: 'csv (RFC 4180), json (an array) or ndjson (one entry a line)',
    columns: ['email', 'createdAt'],
    select: filterWaitlist,
  })
}

const columns: Columns<WaitlistEntry> = {
  Email: { value: 'email', minWidth: 8 },
  Since: 'createdAt',
}

type Count = { by: 'day' | 'domain'; of: string; count: number }

/** Counts by day, the oldest first, and by domain, the most frequent first; on a terminal each count has a bar. */
async function countEntries({ entries, count }: FoundEntries<WaitlistEntry>): Promise<CommandResult> {
  const counts = { day: new Map<string, number>(), domain: new Map<string, number>() }
  let total = 0
  await withProgress({ unit: 'addresses', total: await count() }, {}, async (report) => {
    for await (const { email, createdAt } of entries) {
      const keys = { day: createdAt.slice(0, 10), domain: email.slice(email.lastIndexOf('@') + 1) }
      for (const by of ['day', 'domain'] as const) {
        counts[by].set(keys[by], (counts[by].get(keys[by]) ?? 0) + 1)
      }
      total += 1
      report(total)
    }
  })
  const rowsOf = (by: 'day' | 'domain') => [...counts[by]].map(([of, count]): Count => ({ by, of, count }))
  const days = rowsOf('day').reverse()
  const domains = rowsOf('domain').sort((a, b) => b.count - a.count || (a.of < b.of ? -1 : 1))
  const most = { day: 1, domain: 1 }
  for (const { by, count } of [...days, ...domains]) most[by] = Math.max(most[by], count)
  const bar = ({ by, count }: Count) => '█'.repeat(Math.ceil((count / most[by]) * 40))
  const columns: Columns<Count> = { By: 'by', Of: { value: 'of', minWidth: 8 }, Addresses: 'count' }
  if (process.stdout.isTTY) columns[' '] = { value: bar, style: 'green', minWidth: 8 }
  return {
    message: `${pluralize(total, 'address', 'addresses')}.`,
    data: {
      total,
      days: days.map(({ of: day, count }) => ({ day, count })),
      domains: domains.map(({ of: domain, count }) => ({ domain, count })),
    },
    table: { columns, rows: [...days, ...domains], emptyText: 'The waitlist is empty.' },
  }
}
