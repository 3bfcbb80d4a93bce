import { parseDatabaseAddress } from '../store/database-address.js'
import { openStore as openDatabase } from '../store/open/open-store.js'
import type { Store } from '../store/store.js'
import { refuseUnknownSettings } from './option-names.js'
import type { ServerSettings } from './plugin-options.js'
import { readOptions } from './read-options.js'
import { startServer as startWith } from './start-server.js'

export type { Store } from '../store/store.js'
export { dashboardApi } from './plugin.js'
export type {
  DashboardApiOptions,
  DashboardSession,
  HostSession,
  ServerSettings,
  ServiceSettings,
  SessionSettings,
} from './plugin-options.js'

export type StoreOptions = {
  /** Refuse a missing database, or one without tables. By default it is created. */
  mustExist?: boolean
  /** Migrate a database of an older version. Default: true. */
  migrate?: boolean
  /** Record creations and updates of projects in the audit log. Default: true. */
  auditProjects?: boolean
}

/**
 * Opens the store of a service, for `dashboardApi`, and for scripts that seed and read.
 * @param address the path of a SQLite file, or a PostgreSQL address such as `postgres://user@host/database`
 * @throws TypeError for another form of address; an Error that says why a database was refused
 */
export async function openStore(
  address: string,
  { mustExist, migrate = true, auditProjects = true }: StoreOptions = {},
): Promise<Store> {
  // Callers in JavaScript may leave it out.
  const database = typeof address === 'string' ? parseDatabaseAddress(address) : undefined
  if (!database)
    throw new TypeError(
      `Expected the path of a SQLite file or a PostgreSQL address; got ${JSON.stringify(address)}.`,
    )
  return openDatabase(database, { mustExist, migrate, auditProjects, checkFully: true })
}

export type RunningServer = {
  url: string
  /** The URL of the metrics, if they have a port of their own. */
  metricsUrl: string | undefined
  /** Resolves when the database file was replaced, removed or damaged: end the process, and start it again. */
  lost: Promise<Error>
  /** Finishes the requests in flight, and closes the database. */
  close(): Promise<void>
}

/**
 * Opens the database and listens, as `serve` does.
 * @returns the URL, and a function that finishes the requests in flight and closes the database
 * @throws SettingsError with all faults of the settings; an Error for a refused database or a taken port
 */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  // Callers in JavaScript may leave them out.
  const given = settings ?? {}
  refuseUnknownSettings(given)
  return startWith(readOptions(given))
}
