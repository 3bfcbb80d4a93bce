import type { DatabaseAddress } from '../database-address.js'
import { DatabaseRefusedError } from '../database-refused.js'
import type { PostgresOptions } from '../postgres/connection-options.js'
import type { ProductionReader } from '../production-store.js'

/**
 * Opens an existing database to read it. Nothing is changed, and nothing is migrated: an older version is read as far as
 * it has what is asked for.
 * @throws DatabaseRefusedError, DriverMissingError, StoreUnavailableError
 */
export async function openReader(
  address: DatabaseAddress,
  options: PostgresOptions = {},
): Promise<ProductionReader> {
  const reader =
    address.kind === 'postgres'
      ? await (await import('../postgres/postgres-store.js')).openPostgresReader(address, options)
      : await (await import('../sqlite/sqlite-store.js')).openSqliteReader(address.file)
  return reader.schema.version < reader.schema.known ? explainingMissing(address.name, reader) : reader
}

/** Whether a table or a column does not exist (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const isMissing = ({ code = '', message }: Error & { code?: string }): boolean =>
  code === '42P01' || code === '42703' || /^SQLITE_ERROR: no such (table|column)/.test(message)

/** Makes the calls of a reader name the migration that the older version of its database lacks. */
function explainingMissing(name: string, { schema, close, ...calls }: ProductionReader): ProductionReader {
  const reason = `it has version ${schema.version}, and this needs version ${schema.known}`
  const explaining =
    (call: (...args: never[]) => Promise<unknown>) =>
    async (...args: never[]): Promise<unknown> =>
      call(...args).catch((error: Error) => {
        if (!isMissing(error)) throw error
        const hint = 'Migrate it with "database migrate"; it was not changed.'
        throw new DatabaseRefusedError(name, reason, hint, error)
      })
  const all = Object.entries(calls).map(([method, call]) => [method, explaining(call)])
  return { ...(Object.fromEntries(all) as typeof calls), schema, close }
}
