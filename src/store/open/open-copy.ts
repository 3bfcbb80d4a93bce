import type { CopySource, CopyTarget } from '../copy-records.js'
import type { DatabaseAddress } from '../database-address.js'
import type { PostgresOptions } from '../postgres/connection-options.js'

/** Opens the database at an address to copy from. @throws DatabaseRefusedError, StoreUnavailableError */
export async function openSource(address: DatabaseAddress, options: PostgresOptions): Promise<CopySource> {
  if (address.kind === 'postgres') {
    return (await import('../postgres/open-copy-ends.js')).openPostgresSource(address, options)
  }
  return (await import('../sqlite/open-copy-ends.js')).openSqliteSource(address.file)
}

/** Opens the database at an address to copy to. @throws DatabaseRefusedError, StoreUnavailableError */
export async function openTarget(address: DatabaseAddress, options: PostgresOptions): Promise<CopyTarget> {
  if (address.kind === 'postgres') {
    return (await import('../postgres/open-copy-ends.js')).openPostgresTarget(address, options)
  }
  return (await import('../sqlite/open-copy-ends.js')).openSqliteTarget(address.file)
}
