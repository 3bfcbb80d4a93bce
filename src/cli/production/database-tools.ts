import type { DatabaseAddress } from '../../store/database-address.js'
import { UserError } from '../user-error.js'

/** The commands of this program that work on a SQLite file, and PostgreSQL's own tools for the same. */
const tools = {
  backup: (name: string, file: string) => `pg_dump --format=custom --file=${file} '${name}'`,
  restore: (name: string, file: string) =>
    `pg_restore --clean --if-exists --single-transaction --dbname='${name}' ${file}`,
  vacuum: (name: string) => `vacuumdb --full --analyze --dbname='${name}'`,
}

/**
 * The path of a SQLite file.
 * @param file the argument of the command
 * @throws UserError for a PostgreSQL database, with the line that does the same with PostgreSQL's tools
 */
export function requireFile(address: DatabaseAddress, command: keyof typeof tools, file = ''): string {
  if (address.kind === 'sqlite') return address.file
  const note = address.password === undefined ? '' : ' (with the password in PGPASSWORD or PGPASSFILE)'
  throw new UserError(
    `"database ${command}" is for SQLite files; PostgreSQL has a tool of its own.`,
    `Run${note}: ${tools[command](address.name, file)}`,
  )
}
