import { type Command, Option } from 'commander'
import { closeAfterUse } from '../../store/close-after-use.js'
import type { KindReport } from '../../store/copy-records.js'
import { addCommand } from '../define-command.js'
import { jsonOption } from '../options.js'
import type { Columns } from '../output/columns.js'
import { ignoreClosedOutput } from '../output/output.js'
import { withProgress } from '../output/progress.js'
import { Interrupted } from '../signals.js'
import { UserError } from '../user-error.js'
import { locateDatabase } from './open-database.js'

const notes = `
The copy is compared with the source. Its target must be a new file or an empty database. If the copy is
interrupted, the target stays empty.`

export const defineCopy = (group: Command) =>
  addCommand(group, 'copy', {
    about: 'Copy all records to another database of either kind, SQLite or PostgreSQL.',
    options: [
      new Option('--from <file>', 'the SQLite file, or the PostgreSQL address').makeOptionMandatory(),
      new Option('--to <file>', 'the new SQLite file, or the PostgreSQL address').makeOptionMandatory(),
      jsonOption('print JSON lines'),
    ],
    notes,
    examples: ['--from data/dashboard.db --to copy.db'],
    async run({ json, ...given }) {
      const [{ copyRecords }, { openToRead, openToWrite }, { identify }] = await Promise.all([
        import('../../store/copy-records.js'),
        import('../../store/open/open-store.js'),
        import('../../store/sqlite/file-identity.js'),
      ])
      const source = await locateDatabase(given.from, { option: '--from' })
      const target = await locateDatabase(given.to, { option: '--to', create: true })
      const [from, to] = [source.address.name, target.address.name]
      // By another name of the file, such as a hard link, SQLite would give it a second log.
      const file = identify(from)?.file
      if (file !== undefined && file === identify(to)?.file)
        throw new UserError(`${to} is ${from} itself.`, 'Name a new file, or another database, with --to.')
      ignoreClosedOutput()
      const started = performance.now()
      const reader = await openToRead(source.address, { ...source.options, statementMs: 0 })
      const report = await closeAfterUse(reader, async () => {
        const options = { ...target.options, mustExist: false, statementMs: 0 }
        const writer = await openToWrite(target.address, options)
        return closeAfterUse(writer, () =>
          withProgress(steps.copy, { json, interrupted }, (onProgress) =>
            copyRecords(reader, writer, (step, done, total) => onProgress(done, { ...steps[step], total })),
          ),
        )
      })
      const seconds = Math.round(performance.now() - started) / 1000
      const changed = `${from} changed during the copy: later writes are not in ${to}.`
      return {
        data: { event: 'done', from, to, ...report, seconds },
        table: { columns, rows: report.kinds },
        hints: [
          `Copied ${from} to ${to} in ${seconds} s: every record is the same.`,
          ...(report.sourceChanged ? [changed] : []),
        ],
      }
    },
  })

/** The unit of the progress of each step. */
const steps = {
  copy: { step: 'copy', unit: 'records' },
  compare: { step: 'compare', unit: 'records compared' },
}

const interrupted = (signal: NodeJS.Signals) =>
  new Interrupted(signal, 'Interrupted: nothing was copied.', 'Run the same command again.')

const columns: Columns<KindReport> = {
  Kind: 'kind',
  Records: 'records',
  Digest: { value: 'digest', minWidth: 8 },
}
