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
  const { address, options } = await existingDatabase(flag)
  const { openReader } = await import('../../store/open/databases.js')
  return using(openReader(address, options), (store) => act(store, address.name))
}

/**
 * Opens a database to write to it, runs an action, and closes it in any case. One of an older version is refused. What
 * changes is recorded in the audit log.
 * @param flag the value of `--database`; if omitted, the environment or the default applies
 * @param act gets the store, and the name of the database for messages
 * @param options.isAudited false if `act` records in the audit log itself what changes
 * @param options.create creates a missing file; without it a missing file is refused
 * @throws UserError for a missing or refused database, Failure if it cannot be read or written at the moment
 */
export async function withDatabase<Result>(
  flag: string | undefined,
  act: (store: ProductionStore, name: string) => Promise<Result>,
  { create = false, isAudited = true } = {},
): Promise<Result> {
  const { address, options } = create ? await databaseLocation(flag) : await existingDatabase(flag)
  const { openStore } = await import('../../store/open/databases.js')
  keepWorking()
  const mustExist = options.mustExist || !create
  return using(
    openStore(address, { ...options, mustExist, by: isAudited ? processOrigin() : undefined }),
    (store) => act(store, address.name),
  )
}

async function using<Opened extends { close(): Promise<void> }, Result>(
  opening: Promise<Opened>,
  act: (store: Opened) => Promise<Result>,
): Promise<Result> {
  try {
    const store = await opening
    try {
      return await act(store)
    } finally {
      await store.close()
    }
  } catch (error) {
    throw databaseFailure(error)
  }
}

/**
 * Where `--database`, the environment or the default leads.
 * @param option the name of the flag, for messages
 * @throws UserError
 */
export async function databaseLocation(
  flag: string | undefined,
  option = '--database',
): Promise<DatabaseLocation> {
  const settings = await requireSettings({ database: flag }, [
    'database',
    'mustExist',
    'databasePasswordFile',
    'databasePoolSize',
    'databaseTimeout',
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
  return {
    address,
    options: {
      passwordFile: settings.databasePasswordFile,
      poolSize: settings.databasePoolSize,
      timeoutMs: settings.databaseTimeout,
      mustExist: settings.mustExist,
    },
  }
}

export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/** The same for a database that must exist: a missing file is refused. @throws UserError */
export async function existingDatabase(
  flag: string | undefined,
  option = '--database',
): Promise<DatabaseLocation> {
  const location = await databaseLocation(flag, option)
  const { address } = location
  if (address.kind === 'postgres' || existsSync(address.file)) return location
  throw new UserError(
    `There is no database at ${address.file}.`,
    `Choose another ${option}, or create one with "npx dashboard-api seed --database ${address.file}" or "npx dashboard-api serve".`,
  )
}

/** Translates an error of the store for the user; returns any other error unchanged. */
export function databaseFailure(error: unknown): unknown {
  if (error instanceof DatabaseRefusedError || error instanceof DriverMissingError) {
    return new UserError(error.message)
  }
  if (error instanceof StoreUnavailableError) {
    return new Failure(error.message, unavailableHint(error.cause))
  }
  return error
}

/** What to do about an error of SQLite or PostgreSQL that an operator can end. */
function unavailableHint(cause: unknown): string {
  const { code = '' } = (cause ?? {}) as { code?: string }
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT|53100)$/.test(code))
    return 'Its disk is full: free some space, then try again.'
  // On a full disk SQLite cannot make the file of shared memory either, and reports an I/O error.
  if (/^SQLITE_(READONLY|CANTOPEN|IOERR)$/.test(code)) {
    return 'Check whether its disk is full or damaged, and the rights of this user.'
  }
  if (/^SQLITE_/.test(code)) return 'Another process may be using it; try again.'
  return 'Check that the server runs and can be reached, and how many connections it allows.'
}
