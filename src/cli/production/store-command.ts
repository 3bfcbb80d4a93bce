import type { Command, OptionValues } from 'commander'
import type { ProductionReader, ProductionStore } from '../../store/production-store.js'
import { addCommand, type CommandData } from '../define-command.js'
import { databaseOption, jsonOption, settingOption } from '../options.js'
import { type Result, show } from '../output/show.js'
import { confirmRemoval, type Removing } from './confirm-removal.js'
import { readDatabase, withDatabase } from './open-database.js'

/** What it does with the database; `file` is its name for messages. */
type Action<Store, Done> = (store: Store, given: OptionValues, file: string) => Promise<Done> | Done

type StoreCommand = Omit<CommandData, 'run'> & {
  /** @throws UserError before the database is opened */
  check?(given: OptionValues): unknown
  /** Reads. Rows are printed before the database is closed. */
  read?: Action<ProductionReader, Result>
  /** Changes something. */
  write?: Action<ProductionStore, Result>
  /** Looks up what is removed after a confirmation. */
  remove?: Action<ProductionStore, Removing>
  /** Creates a missing database. */
  create?: boolean
}

/** Adds a command of a database, with the options `--database` and `--json`. */
export const storeCommand = (parent: Command, usage: string, data: StoreCommand): Command => {
  const { check, read, write, remove, create = false, options = [], ...rest } = data
  const database = create ? settingOption('database', '<file>') : databaseOption()
  return addCommand(parent, usage, {
    ...rest,
    options: [...options, database, jsonOption()],
    async run(given) {
      await check?.(given)
      if (write)
        return withDatabase(given.database, async (store, file) => write(store, given, file), { create })
      if (remove) return confirmRemoval(given, async (store, file) => remove(store, given, file))
      await readDatabase(given.database, async (store, file) => {
        if (read) await show(await read(store, given, file), given.json)
      })
      return undefined
    },
  })
}
