import type { PostgresAddress } from '../../src/store/database-address.js'
import { openStore } from '../../src/store/open/open-store.js'

type Options = Parameters<typeof openStore>[1]

/** Opens the store of production over a SQLite file. */
export const openSqliteStore = (file: string, options?: Options) =>
  openStore({ kind: 'sqlite', name: file, file }, options)

/** The same over PostgreSQL. */
export const openPostgresStore = (address: PostgresAddress, options?: Options) => openStore(address, options)
