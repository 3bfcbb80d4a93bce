import { type Command, Option, type OptionValues } from 'commander'
import type { AuditEntry, AuditFilter } from '../../store/audit-log.js'
import type { ProductionReader } from '../../store/production-store.js'
import type { OptionData } from '../define-command.js'
import type { Columns } from '../output/columns.js'
import { UserError } from '../user-error.js'
import { defineExport } from './export-command.js'
import { filterAudit, tableRows, usersOf } from './find-records.js'
import { periodOptions } from './parse-time.js'
import { storeCommand } from './store-command.js'

export const define = (group: Command) => {
  storeCommand(group, 'list', {
    about: 'List the entries, newest first.',
    options: auditOptions(),
    examples: ['', '--action sign-in --outcome failure --since 2026-01-31 --json'],
    async read(store, given) {
      const rows = tableRows(filterAudit(store, await readFilter(store, given)))
      return { table: { name: 'entries', columns, ...rows, emptyText: 'No entry matches.' } }
    },
  })

  defineExport(group, {
    about: 'Export the entries, newest first, to a file or to stdout.',
    options: auditOptions(),
    examples: ['--output audit.ndjson', '--format csv --actor ada@acme.example'],
    unit: ['entry', 'entries'],
    formats: ['ndjson', 'csv'],
    formatNote: 'ndjson (one entry a line) or csv (RFC 4180, details as JSON)',
    columns: [
      ...(['at', 'action', 'outcome', 'reason', 'via', 'operator', 'source', 'requestId'] as const),
      ...(['userId', 'sessionId', 'target', 'details', 'id'] as const),
    ],
    select: async (store, given) => filterAudit(store, await readFilter(store, given)),
  })
}

/** The options that filter entries. */
const auditOptions = (): OptionData[] => [
  ...periodOptions(),
  ['--actor <name>', 'only actions of this person: a system user, or the address or id of a user'],
  ['--action <action>', 'only this action, such as team.remove, or this kind, such as team'],
  new Option('--outcome <outcome>', 'only this outcome').choices(['success', 'failure']),
]

/** @throws UserError for an action that there is not: a typing error would find nothing */
async function readFilter(store: ProductionReader, given: OptionValues): Promise<AuditFilter> {
  const { actor, ...filter } = given
  const { auditActions } = await import('../../store/audit-log.js')
  const { action } = filter
  if (action !== undefined && !auditActions.some((each) => `${each}.`.startsWith(`${action}.`))) {
    throw new UserError(`There is no action "${action}".`, `The actions are: ${auditActions.join(', ')}.`)
  }
  if (actor === undefined) return filter
  const users = await usersOf(store, actor)
  return { ...filter, actors: [actor, ...users.map(({ id }) => id)] }
}

const columns: Columns<AuditEntry> = {
  Time: 'at',
  Action: 'action',
  Outcome: { value: 'outcome', style: ({ outcome }) => (outcome === 'failure' ? 'red' : undefined) },
  Operator: 'operator',
  Source: { value: 'source', minWidth: 8 },
  User: { value: 'userId', minWidth: 8 },
  Target: { value: ({ target, sessionId }) => target ?? sessionId, minWidth: 8 },
  Details: {
    value: ({ reason, details = {} }) =>
      [reason, ...Object.entries(details).map((pair) => pair.join('='))].filter(Boolean),
    minWidth: 8,
  },
}
