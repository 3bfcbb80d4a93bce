import { parseDatabaseAddress } from '../store/database-address.js'
import { openStore as openDatabase } from '../store/open/open-store.js'
import type { Store } from '../store/store.js'
import type { ServiceSettings, SessionSettings } from './plugin-options.js'
import { readOptions } from './read-options.js'
import { startServer as startWith } from './start-server.js'

export type { Store } from '../store/store.js'
export { dashboardApi } from './plugin.js'
export type {
  DashboardApiOptions,
  DashboardSession,
  HostSession,
  ServiceSettings,
  SessionSettings,
} from './plugin-options.js'

export type StoreOptions = {
  /** Whether a database that does not exist, or has no tables yet, is refused; it is created, if left out. */
  mustExist?: boolean
  /** Whether a database of an older version is migrated; true, if left out. */
  migrate?: boolean
  /** Whether the audit log has who created and updated projects; true, if left out. */
  auditProjects?: boolean
}

/**
 * Opens the store of a service, for `dashboardApi`, and for scripts that seed and read.
 * @param address the path of a SQLite file, or a PostgreSQL address such as `postgres://user@host/database`
 * @throws TypeError for an address in another form; an Error that says why a database was refused
 */
export async function openStore(
  address: string,
  { mustExist, migrate = true, auditProjects = true }: StoreOptions = {},
): Promise<Store> {
  const database = parseDatabaseAddress(address)
  if (!database)
    throw new TypeError(
      `Expected the path of a SQLite file or a PostgreSQL address; got ${JSON.stringify(address)}.`,
    )
  return openDatabase(database, { mustExist, migrate, auditProjects, checkFully: true })
}

/** The settings of a whole server. Names, forms and defaults are those of `serve`. */
export type ServerSettings = ServiceSettings &
  SessionSettings & {
    host?: string
    port?: number
    /** The path of a SQLite file, or a PostgreSQL address. */
    database?: string
    trustProxy?: readonly string[]
    /** A separate port for `/metrics`, e.g. `9090` or `0.0.0.0:9090`. */
    metricsAddress?: string
    metricsToken?: string
    drainDelay?: string
    logLevel?: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  }

/**
 * Starts what `serve` starts: opens the database, and listens.
 * @returns where it listens, and a function that finishes the requests in flight and closes the database
 * @throws SettingsError with all faults of the settings; an Error for a database that is refused, or a port that is taken
 */
export async function startServer(
  settings: ServerSettings,
): Promise<{ url: string; metricsUrl: string | undefined; close(): Promise<void> }> {
  return startWith(readOptions(settings))
}
