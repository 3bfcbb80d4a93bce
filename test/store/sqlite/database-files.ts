import { readFileSync, writeFileSync } from 'node:fs'
import { openConnection } from '../../../src/store/sqlite/connection.js'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.js'
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

/** Runs SQL on a file, as another program would. */
export async function execSql(file: string, sql: string): Promise<void> {
  const connection = await openConnection(file, 'create', 1000)
  await connection.exec(sql)
  await connection.close()
}

/** Overwrites the pages after the second one, among them an index. */
export function damage(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(0x5a, 4096 * 2)
  writeFileSync(file, bytes)
}
