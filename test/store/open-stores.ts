import type { PostgresAddress } from '../../src/store/database-address.js'
import { openStore } from '../../src/store/open/open-store.js'

type Options = Parameters<typeof openStore>[1]

/** Long, which only ends hanging tests: on a busy machine a commit may take seconds. */
const timeoutMs = 60_000

/** Opens a production store over a SQLite file. */
export const openSqliteStore = (file: string, options?: Options) =>
  openStore({ kind: 'sqlite', name: file, file }, { timeoutMs, ...options })

/** Opens a production store over PostgreSQL. */
export const openPostgresStore = (address: PostgresAddress, options?: Options) => openStore(address, options)
