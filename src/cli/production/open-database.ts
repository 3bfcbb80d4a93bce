import { existsSync } from 'node:fs'
import { shellQuote } from '../../pages/shell-quote.js'
import { setupOptions } from '../../server/settings/database-setup.js'
import { closeAfterUse } from '../../store/close-after-use.js'
import { processOrigin } from '../../store/process-origin.js'
import type { ProductionReader, ProductionStore } from '../../store/production-store.js'
import { isFolder } from '../files.js'
import { ignoreClosedOutput, printMessage } from '../output/output.js'
import { UserError } from '../user-error.js'
import { requireSettings } from './require-settings.js'

/**
 * Opens a database to read it, runs an action, and closes it in any case. Nothing is migrated, and no right to write is
 * needed.
 * @param flag the value of `--database`; if omitted, the environment or the default applies
 * @param act gets the store, and the name of the database for messages
 */
export async function readDatabase<Result>(
  flag: string | undefined,
  act: (store: ProductionReader, name: string) => Promise<Result>,
): Promise<Result> {
  const { address, options } = await locateDatabase(flag)
  const { openReader } = await import('../../store/open/open-store.js')
  return closeAfterUse(await openReader(address, options), (store) => act(store, address.name))
}

/**
 * Opens a database to write to it, runs an action, and closes it. Creates a missing file if `create` is set. An older version
 * is refused.
 * @param options.isAudited false if `act` itself records its changes in the audit log
 */
export async function withDatabase<Result>(
  flag: string | undefined,
  act: (store: ProductionStore, name: string) => Promise<Result>,
  { create = false, isAudited = true } = {},
): Promise<Result> {
  const { address, options } = await locateDatabase(flag, { create })
  const { openStore } = await import('../../store/open/open-store.js')
  ignoreClosedOutput()
  const by = isAudited ? processOrigin() : undefined
  return closeAfterUse(await openStore(address, { ...options, by }), (store) => act(store, address.name))
}

/**
 * The address of a database, and the options to open it with: where `--database`, the environment or the default leads.
 * @param options.option the name of the flag, for messages
 * @param options.create whether a SQLite file may be missing
 * @throws UserError, SettingsError
 */
export async function locateDatabase(
  flag: string | undefined,
  { option = '--database', create = false } = {},
) {
  const connection = ['databasePasswordFile', 'databasePoolSize', 'databaseTimeout'] as const
  const names = ['database', 'databaseSetup', ...connection] as const
  const settings = await requireSettings({ database: flag }, names).catch((error: Error) => {
    error.message = error.message.replace('--database:', `${option}:`)
    throw error
  })
  const { database: address, databasePasswordFile: passwordFile } = settings
  if (address.kind === 'sqlite') requireUsable(address.file, option, create)
  return {
    address,
    options: {
      passwordFile,
      poolSize: settings.databasePoolSize,
      timeoutMs: settings.databaseTimeout,
      mustExist: setupOptions(settings.databaseSetup).mustExist || !create,
      // Of PostgreSQL, `serve` and `config --check` report them.
      onWarning: address.kind === 'sqlite' ? printWarning : undefined,
    },
  }
}

const printWarning = (warning: string) => printMessage(`warning: ${warning}`)

function requireUsable(file: string, option: string, create: boolean): void {
  if (isFolder(file)) {
    throw new UserError(`Cannot use the database ${file}: it is not a file.`, `Choose another ${option}.`)
  }
  if (create || existsSync(file)) return
  throw new UserError(
    `There is no database at ${file}.`,
    `Choose another ${option}, or create one with "npx dashboard-api seed --database ${shellQuote(file)}" or "npx dashboard-api serve".`,
  )
}
