import { resolve } from 'node:path'
import type { Command, OptionValues } from 'commander'
import type { ProductionReader, ProductionStore } from '../../store/production-store.js'
import type { StateCounts } from '../../store/state-file.js'
import type { Removal } from '../../store/store.js'
import { addCommand, type CommandData } from '../define-command.js'
import { databaseOption, jsonOption, settingOption } from '../options.js'
import { confirm } from '../output/confirm.js'
import { printMessage } from '../output/output.js'
import { type CommandResult, show } from '../output/show.js'
import { locateDatabase, readDatabase, withDatabase } from './open-database.js'

/** The action of a command on a database; `file` is its name for messages. */
type Action<Store, Done> = (store: Store, given: OptionValues, file: string) => Promise<Done> | Done

/** The records that a command removes, the question before, if any, and the output after. */
export type RemovalPlan = {
  removal: Removal
  question?: string
  done(removed: StateCounts): CommandResult
}

type StoreCommand = Omit<CommandData, 'run'> & {
  /** @throws UserError before the database is opened */
  check?(given: OptionValues): unknown
  read?: Action<ProductionReader, CommandResult>
  /** Changes something. */
  write?: Action<ProductionStore, CommandResult>
  /** Looks up the records that are removed after a confirmation. */
  remove?: Action<ProductionStore, RemovalPlan>
  /** Whether a missing database is created. */
  create?(given: OptionValues): boolean
}

/** Adds a command of a database, with the options `--database` and `--json`. */
export const storeCommand = (parent: Command, usage: string, data: StoreCommand): Command => {
  const { check, read, write, remove, create, options = [], ...rest } = data
  const database = create ? settingOption('database') : databaseOption()
  return addCommand(parent, usage, {
    ...rest,
    options: [...options, database, jsonOption()],
    async run(given) {
      await check?.(given)
      if (write) {
        const act = async (store: ProductionStore, file: string) => write(store, given, file)
        return withDatabase(given.database, act, { create: create?.(given) })
      }
      if (remove) return removeRecords(given, async (store, file) => remove(store, given, file))
      return read && showFrom(given, read)
    },
  })
}

/** Reads from a database, and prints the result before it is closed: rows are read as they are needed. */
const showFrom = (given: OptionValues, read: Action<ProductionReader, CommandResult>): Promise<undefined> =>
  readDatabase(given.database, async (store, file) => {
    await show(await read(store, given, file), given.json)
    return undefined
  })

/**
 * Removes records for good, after a confirmation where there is a question: from the database, and from its log on the disk.
 * @param plan looks up the records to remove
 * @throws UserError without a terminal and `--yes`; Failure if the answer is no; as `emptyLog`
 */
export async function removeRecords(
  { database, yes }: { database?: string; yes?: boolean },
  plan: (store: ProductionStore, name: string) => Promise<RemovalPlan>,
): Promise<CommandResult> {
  let isRemoved = false
  const result = await withDatabase(database, async (store, name) => {
    const { removal, question, done } = await plan(store, name)
    if (question) await confirm(question, yes)
    const removed = await store.remove(removal)
    isRemoved = Object.values(removed).some((count) => count > 0)
    return done(removed)
  })
  if (!isRemoved) return result
  await eraseLog(database)
  printMessage('hint: Backups that were made before still have the records, until they are deleted.')
  return result
}

/** Erases removed records from the log of a SQLite file; PostgreSQL does so by itself. @throws as `emptyLog` */
async function eraseLog(database: string | undefined): Promise<void> {
  const { address } = await locateDatabase(database)
  if (address.kind === 'postgres') {
    printMessage(`hint: PostgreSQL overwrites removed rows later; at once: vacuumdb --full '${address.name}'`)
    return
  }
  const { emptyLog } = await import('../../store/sqlite/maintain.js')
  await emptyLog(resolve(address.file))
}
