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
  ServerSettings,
  ServiceSettings,
  SessionSettings,
} from './plugin-options.js'
export type { HostSession } from './sessions/host-caller.js'

export type StoreOptions = {
  /** Refuse a missing database, or one without tables. By default it is created. */
  mustExist?: boolean
  /** Migrate a database of an older version. Default: true. */
  migrate?: boolean
  /** Record creations and updates of projects in the audit log. Default: true. */
  auditProjects?: boolean
  /**
   * Called once, when a SQLite file was found replaced, removed or damaged: every later call fails. End the process, and start it
   * again.
   */
  onLost?(reason: Error): void
  /** Gets a sentence about the database that an operator should know. By default the process emits a warning. */
  onWarning?(warning: string): void
}

/** The store of a service. */
export type ServiceStore = Store & {
  /** For the readiness of an application. Rejects with the reason if the database does not accept writes. */
  check(): Promise<void>
}

/**
 * Opens the store of a service, for `dashboardApi`, and for scripts that seed and read. A SQLite file that the process has open
 * already is shared; it is closed with its last store.
 * @param address the path of a SQLite file, or a PostgreSQL address such as `postgres://user@host/database`
 * @throws TypeError for another form of address; an Error that says why a database was refused
 * @example
 * const store = await openStore('data/dashboard.db', { onLost: () => process.exit(75) })
 * app.get('/ready', () => store.check())
 */
export async function openStore(
  address: string,
  { mustExist, migrate = true, auditProjects = true, onLost, onWarning = warn }: StoreOptions = {},
): Promise<ServiceStore> {
  if (address === ':memory:') throw new TypeError(noMemory)
  // Callers in JavaScript may leave it out.
  const database = typeof address === 'string' ? parseDatabaseAddress(address) : undefined
  if (!database)
    throw new TypeError(
      `Expected the path of a SQLite file or a PostgreSQL address; got ${JSON.stringify(address)}.`,
    )
  const options = { mustExist, migrate, auditProjects, onLost, onWarning, checkFully: true }
  const store = await openDatabase(database, options)
  return { ...store, check: store.probe }
}

const warn = (warning: string) => process.emitWarning(warning)

const noMemory =
  "openStore cannot open ':memory:', since its connections share a file. Name a file; for a test, one in a new folder."

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
