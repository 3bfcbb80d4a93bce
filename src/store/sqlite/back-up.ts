import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { StateCounts } from '../state-file.js'
import { checkHeader } from './check-file.js'
import { copyDatabase, flush } from './copy-database.js'

/**
 * Copies a database to a file, also while it is written to: the copy is what was committed at one moment. It
 * gets its name only once it was checked and is on the disk.
 * @returns how many records the copy has
 * @throws StoreUnavailableError, DatabaseRefusedError, or the system's error; `target` is then as it was
 */
export async function backUp(file: string, target: string, busyTimeoutMs = 5_000): Promise<StateCounts> {
  await checkHeader(file)
  const copy = await copyDatabase(file, target, busyTimeoutMs)
  try {
    await rename(copy.file, target)
  } catch (error) {
    await copy.remove()
    throw error
  }
  await flush(dirname(target), 'r').catch(() => {})
  return copy.records
}
