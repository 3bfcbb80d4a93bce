import type { SqlConnection } from '../sql/sql-database.js'

/** The first faults that SQLite finds in a database. */
export async function findDamage(
  connection: SqlConnection,
  pragma: 'quick_check' | 'integrity_check',
  max: number,
): Promise<string | undefined> {
  const rows = await connection.all<Record<string, string>>(`PRAGMA ${pragma}(${max})`)
  const faults = rows.map((row) => row[pragma]).filter((line) => line !== 'ok')
  return faults.length > 0 ? faults.join('; ').replaceAll('\n', ' ') : undefined
}

/** The first broken references of a database. */
export async function findDangling(connection: SqlConnection): Promise<string | undefined> {
  const { length } = await connection.all('PRAGMA foreign_key_check')
  return length > 0 ? `${length} rows with a dangling reference` : undefined
}

const damageCodes = new Set<string | undefined>(['SQLITE_CORRUPT', 'SQLITE_NOTADB'])

export const isDamage = (error: unknown): boolean => damageCodes.has((error as NodeJS.ErrnoException).code)
