import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { CopyReport, KindReport } from '../../store/copy-records.js'
import { addCommand } from '../define-command.js'
import { jsonOption } from '../options.js'
import { printJson, printMessage, showTable } from '../output/output.js'
import { type ProgressReporter, showProgress } from '../output/progress.js'
import { Interrupted, watchSignals } from '../signals.js'
import { UserError } from '../user-error.js'
import { type DatabaseLocation, databaseFailure, databaseLocation } from './open-database.js'

const notes = `
The copy has what the source had committed when the command began; the server of the source may be running, but what it
writes meanwhile is not copied. The target must be a new file or an empty database, which gets its tables. Both are
compared afterwards, by the number and a digest of the records of each kind. The audit log comes along.

The target is written in one transaction: of a copy that is interrupted nothing is left, and the same command begins
again. A target that has all records already is only compared. A password comes from PGPASSWORD, PGPASSFILE or the
password file, never from an address.`

export const defineCopy = (group: Command) =>
  addCommand(group, 'copy', {
    about: 'Copy all records to another database of either kind, SQLite or PostgreSQL.',
    options: [
      addressOption('--from <file>', 'the SQLite file, or the PostgreSQL address, to copy from'),
      addressOption('--to <file>', 'the SQLite file, or the PostgreSQL address, to copy to'),
      jsonOption('print JSON lines'),
    ],
    notes,
    examples: ['--from data/dashboard.db --to copy.db'],
    async run({ json, from, to }) {
      let progress: ProgressReporter | undefined
      let current: string | undefined
      try {
        const report = await copyDatabases({ from, to }, (step, done, total) => {
          if (step !== current) {
            progress?.stop()
            progress = showProgress(steps[step], total, { json, step })
            current = step
          }
          progress?.report(done)
        })
        progress?.stop()
        await print(report, json)
      } catch (error) {
        progress?.stop(error)
        throw error
      }
      return undefined
    },
  })

/** What the progress of each step counts. */
const steps = { copy: 'records', compare: 'records compared' }

type Report = CopyReport & { from: string; to: string; seconds: number }

/** @throws UserError, Failure, Interrupted; nothing was copied then */
async function copyDatabases(
  { from, to }: { from: string; to: string },
  onProgress: (step: keyof typeof steps, done: number, total: number) => void,
): Promise<Report> {
  const [{ CopyError, copyRecords }, { openSource, openTarget }] = await Promise.all([
    import('../../store/copy-records.js'),
    import('../../store/open/databases.js'),
  ])
  const [source, target] = [await sourceLocation(from), await databaseLocation(to, '--to')]
  const signals = watchSignals()
  const started = performance.now()
  const opened: { close(): Promise<void> }[] = []
  const closeLater = <T extends { close(): Promise<void> }>(database: T): T => {
    opened.push(database)
    return database
  }
  try {
    const copied = await copyRecords(
      closeLater(await openSource(source.address, source.options)),
      closeLater(await openTarget(target.address, target.options)),
      (step, done, total) => {
        onProgress(step, done, total)
        const signal = signals.received()
        if (signal)
          throw new Interrupted(signal, 'Interrupted: nothing was copied.', 'Run the same command again.')
      },
    )
    const seconds = Math.round(performance.now() - started) / 1000
    return { from: source.address.name, to: target.address.name, ...copied, seconds }
  } catch (error) {
    throw error instanceof CopyError ? new UserError(error.message, error.hint) : databaseFailure(error)
  } finally {
    for (const database of opened.reverse()) await database.close()
  }
}

async function sourceLocation(from: string): Promise<DatabaseLocation> {
  const location = await databaseLocation(from, '--from')
  const { address } = location
  if (address.kind === 'postgres' || existsSync(address.file)) return location
  throw new UserError(`There is no database at ${address.file}.`, 'Choose another --from.')
}

async function print(report: Report, json = false): Promise<void> {
  const { from, to, kinds, sourceChanged, seconds } = report
  if (json) printJson({ event: 'done', ...report })
  else await showTable({ data: report, columns, rows: kinds })
  printMessage(`Copied ${from} to ${to} in ${seconds} s: every record is the same.`)
  if (sourceChanged) {
    printMessage(`${from} was changed meanwhile: what was written after the beginning is not in ${to}.`)
  }
}

const columns = [
  { title: 'Kind', value: ({ kind }: KindReport) => kind },
  { title: 'Source', value: ({ source }: KindReport) => String(source.records) },
  { title: 'Target', value: ({ target }: KindReport) => String(target.records) },
  { title: 'Copied', value: ({ copied }: KindReport) => String(copied) },
  { title: 'Result', value: ({ same }: KindReport) => (same ? 'same' : 'DIFFERENT') },
  { title: 'Digest', value: ({ source }: KindReport) => source.digest, shrinks: true },
]

const addressOption = (flags: string, description: string) =>
  new Option(flags, description).makeOptionMandatory()
