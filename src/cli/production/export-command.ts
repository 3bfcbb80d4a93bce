import { type Command, Option, type OptionValues } from 'commander'
import type { ProductionReader } from '../../store/production-store.js'
import { addCommand, type CommandData } from '../define-command.js'
import { refuseDatabaseFile, writeAtomically } from '../files.js'
import { databaseOption } from '../options.js'
import { writeAll } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { printableJson, printableLines } from '../output/printable.js'
import { withProgress } from '../output/progress.js'
import { Interrupted } from '../signals.js'
import type { FormatName } from './export-formats.js'
import type { FoundEntries } from './find-records.js'
import { readDatabase } from './open-database.js'

type Export<Row> = Omit<CommandData, 'run' | 'args'> & {
  /** One row, and several, in words. */
  unit: [string, string]
  /** The names of the formats, the default first. */
  formats: FormatName[]
  formatNote: string
  /** The columns of CSV, which are properties of a row. */
  columns: (keyof Row & string)[]
  select(store: ProductionReader, given: OptionValues): FoundEntries<Row> | Promise<FoundEntries<Row>>
}

/** Adds the command that exports rows, in constant memory, to stdout or to a file. */
export const defineExport = <Row>(
  group: Command,
  { unit, formats, formatNote, columns, select, options = [], notes = '', ...words }: Export<Row>,
): Command =>
  addCommand(group, 'export', {
    ...words,
    options: [
      ...options,
      databaseOption(),
      new Option('--format <format>', formatNote).choices(formats).default(formats[0]),
      ['--output <file>', 'the file to write (default: stdout)'],
    ],
    notes: `\nWith --output the file is written atomically: after a failure the old one is unchanged.${notes}`,
    async run({ database, format, output, ...given }) {
      if (output !== undefined) refuseDatabaseFile(output)
      const toText = (await import('./export-formats.js')).formatOf(format, columns)
      const interrupted = (signal: NodeJS.Signals) =>
        new Interrupted(signal, `Nothing was written: ${output} is unchanged.`)
      let written = 0
      await readDatabase(database, async (store) => {
        const { entries, count } = await select(store, given)
        const write = async (report?: (done: number) => void) => {
          async function* counted() {
            for await (const entry of entries) {
              written += 1
              report?.(written)
              yield entry
            }
          }
          if (output === undefined)
            await writeAll(toText(counted()), format === 'csv' ? printableLines : printableJson)
          else await writeAtomically(output, toText(counted()))
        }
        // Where the terminal shows the data itself, a progress line would overwrite it.
        if (output === undefined && process.stdout.isTTY) return write()
        const options = output === undefined ? {} : { interrupted }
        return withProgress({ unit: unit[1], total: await count() }, options, write)
      })
      return output === undefined
        ? undefined
        : { message: `Wrote ${pluralize(written, ...unit)} to ${output}.` }
    },
  })
