import { restorablePostgres } from '../store/postgres/restorable-postgres.js'
import { startOver } from './start-production.js'

/** Production over loopback, on a PostgreSQL database, with a session for each persona. */
export const startPostgresProduction = async () => startOver(await restorablePostgres())
