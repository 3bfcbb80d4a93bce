import { readFileSync, writeFileSync } from 'node:fs'
import { readMigrations } from '../../../src/store/read-migrations.js'
import { openConnection } from '../../../src/store/sqlite/connection.js'
import { applicationId, oldestProgram } from '../../../src/store/sqlite/schema-version.js'
import { stateKinds } from '../../../src/store/state-file.js'
import { openSqliteStore } from '../open-stores.js'
import { entry, names } from './sqlite-folder.js'

/** Creates a database with these addresses on its waitlist, and closes it. */
export async function createDatabase(file: string, addresses: string[]): Promise<string> {
  const store = await openSqliteStore(file)
  for (const address of addresses) await store.addToWaitlist(entry(address))
  await store.close()
  return file
}

/** The addresses on the waitlist of a database, sorted. */
export async function addressesIn(file: string): Promise<string[]> {
  const store = await openSqliteStore(file)
  const found = await names(store)
  await store.close()
  return found.sort()
}

/** Creates a database of the first version with the records of another database. */
export async function createOlder(file: string, newest?: string): Promise<string> {
  const [first = ''] = await readMigrations('sqlite')
  await execSql(
    file,
    `BEGIN; ${first} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${oldestProgram}; COMMIT`,
  )
  const connection = await openConnection(file, 'write', 1000)
  if (newest) {
    await connection.run('ATTACH $1 AS newest', newest)
    for (const table of stateKinds) {
      const [row] = await connection.all<{ columns: string }>(
        `SELECT group_concat(name) AS columns FROM pragma_table_info('${table}')`,
      )
      await connection.run(
        `INSERT INTO ${table} (${row?.columns}) SELECT ${row?.columns} FROM newest.${table}`,
      )
    }
  }
  await connection.all('PRAGMA journal_mode = WAL')
  await connection.close()
  return file
}

/** Runs SQL on a file, as another program would. */
export async function execSql(file: string, sql: string): Promise<void> {
  const connection = await openConnection(file, 'create', 1000)
  await connection.exec(sql)
  await connection.close()
}

/** Overwrites all pages after the second one, including an index. */
export function damage(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(0x5a, 4096 * 2)
  writeFileSync(file, bytes)
}

/** Changes a letter of a text in either the table or its index. `quick_check` does not notice it. */
export function damageText(file: string, text: string): void {
  const bytes = readFileSync(file)
  const at = bytes.indexOf(text)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(file, bytes)
}
