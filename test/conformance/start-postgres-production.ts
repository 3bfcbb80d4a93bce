import { restorablePostgres } from '../store/postgres/restorable-postgres.js'
import { startOver } from './start-production.js'

/** Starts production on loopback, over PostgreSQL, with a session for each persona. */
export const startPostgresProduction = async () => startOver(await restorablePostgres())
