import type { Command } from 'commander'
import type { WaitlistEntry } from '../../store/state-file.js'
import { databaseOptions, examples } from '../options.js'
import type { Column } from '../output/columns.js'
import { printMessage, show, showTable } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { showProgress } from '../output/progress.js'
import { showList } from '../output/show-list.js'
import { eraseLog } from './confirm-removal.js'
import { defineExport } from './export-rows.js'
import { normalizeEmail } from './find-records.js'
import { readDatabase, withDatabase } from './open-database.js'
import { filterEntries, filterOptions } from './waitlist-filter.js'
import { defineImport } from './waitlist-import-command.js'

const formulaNote = `
In CSV, a cell that begins with = + - @ ', a tab or a carriage return is prefixed with an apostrophe, so that no
spreadsheet runs it as a formula. An import removes it. JSON and NDJSON contain the addresses unchanged.`

export const define = (waitlist: Command) => {
  waitlist
    .description('Manage the early-access waitlist of a database.')
    .addHelpText('after', examples('npx dashboard-api waitlist list'))

  databaseOptions(
    filterOptions(waitlist.command('list')).option(
      '--search <text>',
      'only addresses that contain this text',
    ),
  )
    .description('List the waitlist, newest first.')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api waitlist list',
        'npx dashboard-api waitlist list --search @example.com --json',
      ),
    )
    .action(({ database, json, ...filter }) =>
      readDatabase(database, (store) => {
        const rows = filterEntries(store, filter).entries
        return showList({ name: 'waitlist', columns, rows, emptyText: 'No address matches.' }, json)
      }),
    )

  databaseOptions(waitlist.command('add'))
    .description('Add an address to the waitlist, trimmed and lower-cased.')
    .argument('<email>', 'the address')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api waitlist add ada@example.com',
        'npx dashboard-api waitlist add -- -begins-with-a-dash@example.com',
      ),
    )
    .action(async (address, { database, json }) => {
      const email = await normalizeEmail(address)
      const createdAt = new Date().toISOString()
      const added = await withDatabase(database, (store) => store.addToWaitlist({ email, createdAt }))
      printMessage(added ? `Added ${email}.` : `${email} is on the waitlist already.`)
      await show({ data: { email, added }, lines: [email] }, json)
    })

  databaseOptions(waitlist.command('remove'))
    .description('Remove an address, trimmed and lower-cased, from the waitlist.')
    .argument('<email>', 'the address')
    .addHelpText('after', examples('npx dashboard-api waitlist remove ada@example.com'))
    .action(async (address, { database, json }) => {
      const email = await normalizeEmail(address)
      const removed = await withDatabase(database, (store) => store.removeFromWaitlist(email))
      if (removed) await eraseLog(database)
      printMessage(removed ? `Removed ${email}.` : `${email} is not on the waitlist.`)
      await show({ data: { email, removed }, lines: [email] }, json)
    })

  defineImport(waitlist.command('import'))

  databaseOptions(filterOptions(waitlist.command('stats')))
    .description('Count the addresses per day (UTC) and per domain.')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api waitlist stats',
        'npx dashboard-api waitlist stats --since 2026-01-01 --json',
      ),
    )
    .action(async ({ database, json, ...filter }) => {
      const stats = await readDatabase(database, async (store) => {
        const { entries, count } = filterEntries(store, filter)
        return countEntries(entries, await count())
      })
      await showStats(stats, json)
    })

  defineExport(filterOptions(waitlist.command('export')), {
    unit: ['address', 'addresses'],
    formats: ['csv', 'json', 'ndjson'],
    about: 'csv (RFC 4180), json (an array) or ndjson (one entry a line)',
    load: async () => (await import('./export-formats.js')).waitlistFormats,
    // Addresses that are added during the export are not in it.
    select: filterEntries,
  })
    .description('Export the waitlist, newest first, to a file or to stdout.')
    .addHelpText('after', formulaNote)
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api waitlist export --output waitlist.csv',
        'npx dashboard-api waitlist export --format ndjson --since 2026-01-01',
      ),
    )
}

const columns = [
  { title: 'Email', value: ({ email }: WaitlistEntry) => email, shrinks: true },
  { title: 'Since', value: ({ createdAt }: WaitlistEntry) => createdAt },
]

/** Counts by day, the oldest first, and by domain, the most frequent first. */
async function countEntries(entries: AsyncIterable<WaitlistEntry>, expected: number) {
  const progress = showProgress('addresses', expected)
  const days = new Map<string, number>()
  const domains = new Map<string, number>()
  let total = 0
  try {
    for await (const { email, createdAt } of entries) {
      increment(days, createdAt.slice(0, 10))
      increment(domains, email.slice(email.lastIndexOf('@') + 1))
      total += 1
      progress.report(total)
    }
  } finally {
    await progress.stop()
  }
  return {
    total,
    days: [...days].reverse().map(([day, count]) => ({ day, count })),
    domains: [...domains]
      .map(([domain, count]) => ({ domain, count }))
      .sort((a, b) => b.count - a.count || (a.domain < b.domain ? -1 : 1)),
  }
}

type Count = { by: string; of: string; count: number }

/** On a terminal each count has a bar. */
async function showStats(stats: Awaited<ReturnType<typeof countEntries>>, json?: boolean): Promise<void> {
  const days = stats.days.map(({ day, count }): Count => ({ by: 'day', of: day, count }))
  const domains = stats.domains.map(({ domain, count }): Count => ({ by: 'domain', of: domain, count }))
  const largest = { day: maxOf(days), domain: maxOf(domains) } as Record<string, number>
  const bar = ({ by, count }: Count) => '█'.repeat(Math.ceil((count / (largest[by] ?? 1)) * 40))
  const columns: Column<Count>[] = [
    { title: 'By', value: ({ by }) => by },
    { title: 'Of', value: ({ of }) => of, shrinks: true },
    { title: 'Addresses', value: ({ count }) => String(count) },
    ...(process.stdout.isTTY ? [{ title: ' ', value: bar, tone: () => 'good' as const, shrinks: true }] : []),
  ]
  const rows = [...days, ...domains]
  await showTable({ data: stats, columns, rows, emptyText: 'The waitlist is empty.' }, json)
  printMessage(`${pluralize(stats.total, 'address', 'addresses')}.`)
}

const maxOf = (counts: Count[]) => Math.max(...counts.map(({ count }) => count))
const increment = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
