import type { AuditEvent } from '../../store/audit-log.js'
import { type DatabaseAddress, hasPassword } from '../../store/database-address.js'
import { DatabaseRefusedError } from '../../store/database-refused.js'
import { printMessage } from '../output/output.js'
import { UserError } from '../user-error.js'

/** PostgreSQL's own tools for the commands that take a SQLite file. */
const tools = {
  backup: (name: string, file: string) => `pg_dump --format=custom --file='${file}' '${name}'`,
  restore: (name: string, file: string) =>
    `pg_restore --clean --if-exists --single-transaction --dbname='${name}' '${file}'`,
  vacuum: (name: string) => `vacuumdb --full --analyze --dbname='${name}'`,
}

/**
 * The path of a SQLite file.
 * @param file the argument of the command
 * @throws UserError for a PostgreSQL database, with the line that does the same with PostgreSQL's tools
 */
export function requireSqliteFile(address: DatabaseAddress, command: keyof typeof tools, file = ''): string {
  if (address.kind === 'sqlite') return address.file
  const note = !hasPassword(address.url) ? '' : ' (with the password in PGPASSWORD or PGPASSFILE)'
  throw new UserError(
    `"database ${command}" is for SQLite files; PostgreSQL has a tool of its own.`,
    `Run${note}: ${tools[command](address.name, file)}`,
  )
}

/**
 * Does something with a SQLite file that changes no record, and records it in the file's audit log with its outcome. Where
 * that cannot be written, a message says so: a backup needs no right to write. A file that is refused is not changed.
 */
export async function withAuditEntry<Result>(
  file: string,
  event: AuditEvent,
  act: () => Promise<Result>,
): Promise<Result> {
  const { recordInFile } = await import('../../store/sqlite/maintain.js')
  const record = (ended: AuditEvent) =>
    recordInFile(file, ended).catch((error: Error) =>
      printMessage(`hint: The audit log of ${file} has no entry of it: ${error.message}`),
    )
  const result = await act().catch(async (error: Error) => {
    const isRefused = error instanceof DatabaseRefusedError
    if (!isRefused) await record({ ...event, outcome: 'failure', reason: error.message })
    throw error
  })
  await record(event)
  return result
}
