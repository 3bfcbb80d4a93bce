import { existsSync, statSync } from 'node:fs'
import type { DatabaseAddress } from '../../store/database-address.js'
import { DatabaseRefusedError, DriverMissingError } from '../../store/database-refused.js'
import type { PostgresOptions } from '../../store/postgres/connection-options.js'
import { processOrigin } from '../../store/process-origin.js'
import type { OpeningOptions, ProductionReader, ProductionStore } from '../../store/production-store.js'
import { StoreUnavailableError } from '../../store/store.js'
import { keepWorking } from '../output/output.js'
import { Failure, UserError } from '../user-error.js'
import { requireSettings } from './require-settings.js'

/** The address of a database, and the options to open it with. */
type DatabaseLocation = { address: DatabaseAddress; options: PostgresOptions & OpeningOptions }

/**
 * Opens a database to read it, runs an action, and closes it in any case. Nothing is migrated, and no right to write is
 * needed.
 * @param flag the value of `--database`; if omitted, the environment or the default applies
 * @param act gets the store, and the name of the database for messages
 * @throws UserError for a missing or refused database, Failure if it cannot be read at the moment
 */
export async function readDatabase<Result>(
  flag: string | undefined,
  act: (store: ProductionReader, name: string) => Promise<Result>,
): Promise<Result> {
  const { address, options } = await locateDatabase(flag)
  const { openReader } = await import('../../store/open/databases.js')
  return closing(openReader(address, options), (store) => act(store, address.name))
}

/**
 * The same to write to it; a missing file is created if `create` is set. An older version is refused.
 * @param options.isAudited false if `act` records in the audit log itself what changes
 */
export async function withDatabase<Result>(
  flag: string | undefined,
  act: (store: ProductionStore, name: string) => Promise<Result>,
  { create = false, isAudited = true } = {},
): Promise<Result> {
  const { address, options } = await locateDatabase(flag, { create })
  const { openStore } = await import('../../store/open/databases.js')
  keepWorking()
  const by = isAudited ? processOrigin() : undefined
  return closing(openStore(address, { ...options, by }), (store) => act(store, address.name))
}

/** Runs an action with what was opened, and closes it in any case. @throws UserError, Failure for errors of the store */
export async function closing<Store extends { close(): Promise<void> }, Result>(
  opening: Promise<Store>,
  act: (store: Store) => Promise<Result>,
): Promise<Result> {
  try {
    const store = await opening
    return await Promise.resolve(store)
      .then(act)
      .finally(() => store.close())
  } catch (error) {
    throw databaseFailure(error)
  }
}

/**
 * Where `--database`, the environment or the default leads.
 * @param options.option the name of the flag, for messages
 * @param options.create whether a SQLite file may be missing
 * @throws UserError
 */
export async function locateDatabase(
  flag: string | undefined,
  { option = '--database', create = false } = {},
): Promise<DatabaseLocation> {
  const settings = await requireSettings({ database: flag }, [
    ...(['database', 'mustExist', 'databasePasswordFile'] as const),
    ...(['databasePoolSize', 'databaseTimeout'] as const),
  ]).catch((error) => {
    if (!(error instanceof UserError)) throw error
    throw new UserError(error.message.replace('--database:', `${option}:`), error.hint)
  })
  const { database: address } = settings
  if (address.kind === 'sqlite' && isFolder(address.file)) {
    throw new UserError(
      `Cannot use the database ${address.file}: it is not a file.`,
      `Choose another ${option}.`,
    )
  }
  if (address.kind === 'sqlite' && !create && !existsSync(address.file)) {
    throw new UserError(
      `There is no database at ${address.file}.`,
      `Choose another ${option}, or create one with "npx dashboard-api seed --database ${address.file}" or "npx dashboard-api serve".`,
    )
  }
  return {
    address,
    options: {
      passwordFile: settings.databasePasswordFile,
      poolSize: settings.databasePoolSize,
      timeoutMs: settings.databaseTimeout,
      mustExist: settings.mustExist || !create,
    },
  }
}

export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/** Translates an error of the store for the user; returns any other error unchanged. */
export function databaseFailure(error: unknown): unknown {
  if (error instanceof DatabaseRefusedError || error instanceof DriverMissingError) {
    return new UserError(error.message)
  }
  if (!(error instanceof StoreUnavailableError)) return error
  const { code = '' } = (error.cause ?? {}) as { code?: string }
  return new Failure(error.message, hints.find(([codes]) => codes.test(code))?.[1])
}

/** What an operator can do about the errors of SQLite and PostgreSQL, by their codes. */
const hints: [codes: RegExp, hint: string][] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT|53100)$/, 'Its disk is full: free some space, then try again.'],
  // On a full disk SQLite cannot make the file of shared memory either, and reports an I/O error.
  [
    /^SQLITE_(READONLY|CANTOPEN|IOERR)$/,
    'Check whether its disk is full or damaged, and the rights of this user.',
  ],
  [/^SQLITE_/, 'Another process may be using it; try again.'],
  [/^/, 'Check that the server runs and can be reached, and how many connections it allows.'],
]
