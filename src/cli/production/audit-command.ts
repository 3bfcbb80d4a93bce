import { type Command, Option } from 'commander'
import type { AuditEntry, AuditFilter, AuditOutcome } from '../../store/audit-log.js'
import type { ProductionReader } from '../../store/production-store.js'
import { databaseOptions, examples } from '../options.js'
import { showList } from '../output/show-list.js'
import { UserError } from '../user-error.js'
import { defineExport } from './export-rows.js'
import { readPages } from './find-records.js'
import { readDatabase } from './open-database.js'
import { filterOptions } from './waitlist-filter.js'

const about = `
Each entry has a time, an action and its outcome; who did it (the user and the session, or the system's user who ran a
command), by which command or operation ("via"), and from where (the address of the client, or the host). It has ids of
users, and no address, name or cookie. "requestId" leads to the lines of the server's log.`

export const define = (audit: Command) => {
  audit
    .description('List and export the audit log of a database: who did what, when and from where.')
    .addHelpText('after', examples('npx dashboard-api audit list'))

  databaseOptions(auditOptions(audit.command('list')))
    .description('List the entries, newest first.')
    .addHelpText('after', about)
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api audit list',
        'npx dashboard-api audit list --action sign-in --outcome failure --since 2026-01-31 --json',
      ),
    )
    .action(({ database, json, ...options }) =>
      readDatabase(database, async (store) => {
        const { entries: rows } = filterAudit(store, await readFilter(store, options))
        await showList({ name: 'entries', columns, rows, emptyText: 'No entry matches.' }, json)
      }),
    )

  defineExport(auditOptions(audit.command('export')), {
    unit: ['entry', 'entries'],
    formats: ['ndjson', 'csv'],
    about: 'ndjson (one entry a line) or csv (RFC 4180, details as JSON)',
    load: async () => (await import('./export-formats.js')).auditFormats,
    select: async (store, options: Options) => filterAudit(store, await readFilter(store, options)),
  })
    .description('Export the entries, newest first, to a file or to stdout.')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api audit export --output audit.ndjson',
        'npx dashboard-api audit export --format csv --actor ada@acme.example',
      ),
    )
}

/** Adds the options that filter entries. */
const auditOptions = (command: Command): Command =>
  filterOptions(command)
    .option('--actor <name>', "only what this system's user, or user by address or id, did")
    .option('--action <action>', 'only this action, such as team.remove, or this kind, such as team')
    .addOption(new Option('--outcome <outcome>', 'only this outcome').choices(['success', 'failure']))

type Options = { since?: string; until?: string; actor?: string; action?: string; outcome?: AuditOutcome }

/** @throws UserError for an action that there is not: a typing error would find nothing */
async function readFilter(store: ProductionReader, { actor, ...filter }: Options): Promise<AuditFilter> {
  const { auditActions } = await import('../../store/audit-log.js')
  const { action } = filter
  if (
    action !== undefined &&
    !auditActions.some((each) => each === action || each.startsWith(`${action}.`))
  ) {
    throw new UserError(`There is no action "${action}".`, `The actions are: ${auditActions.join(', ')}.`)
  }
  if (actor === undefined) return filter
  const users = await store.usersWithEmail(actor)
  return { ...filter, actors: [actor, ...users.map(({ id }) => id)] }
}

/** The entries that match, newest first, read page by page. */
const filterAudit = (store: ProductionReader, filter: AuditFilter) => ({
  entries: readPages<AuditEntry>((after, limit) => store.auditAfter(after, limit, filter)),
  count: () => store.countAudit(filter),
})

const columns = [
  { title: 'Time', value: ({ at }: AuditEntry) => at },
  { title: 'Action', value: ({ action }: AuditEntry) => action },
  {
    title: 'Outcome',
    value: ({ outcome }: AuditEntry) => outcome,
    tone: ({ outcome }: AuditEntry) => (outcome === 'failure' ? ('bad' as const) : undefined),
  },
  { title: 'Operator', value: ({ operator }: AuditEntry) => operator },
  { title: 'Source', value: ({ source }: AuditEntry) => source, shrinks: true },
  { title: 'User', value: ({ userId }: AuditEntry) => userId, shrinks: true },
  { title: 'Target', value: ({ target, sessionId }: AuditEntry) => target ?? sessionId, shrinks: true },
  {
    title: 'Details',
    value: ({ reason, details = {} }: AuditEntry) =>
      [reason, ...Object.entries(details).map((pair) => pair.join('='))].filter(Boolean).join(' '),
    shrinks: true,
  },
]
