import { type DatabaseAddress, defaultDatabaseFile } from '../database-address.js'
import type { PostgresOptions } from '../postgres/connection-options.js'
import type { OpeningOptions, ProductionStore } from '../production-store.js'
import type { SqlStoreOptions } from '../sql/sql-store.js'

/**
 * Opens the production store at an address. Only what this kind of database needs is loaded.
 * @param options those of PostgreSQL mean nothing for a SQLite file
 * @throws DatabaseRefusedError, DriverMissingError, StoreUnavailableError; see the stores
 */
export async function openStore(
  address: DatabaseAddress,
  options: PostgresOptions & OpeningOptions & SqlStoreOptions = {},
): Promise<ProductionStore> {
  if (address.kind === 'postgres') {
    const { openPostgresStore } = await import('../postgres/postgres-store.js')
    return openPostgresStore(address, options)
  }
  const { openSqliteStore } = await import('../sqlite/sqlite-store.js')
  const makeFolder = address.file === defaultDatabaseFile
  const { mustExist, migrate, checkFully, by, onAudit, onCall, auditProjects } = options
  return openSqliteStore(address.file, {
    mustExist,
    migrate,
    checkFully,
    makeFolder,
    by,
    onAudit,
    onCall,
    auditProjects,
  })
}
