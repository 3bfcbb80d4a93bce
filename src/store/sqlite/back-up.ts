import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { StateCounts } from '../state-file.js'
import { flushFolder } from '../with-file.js'
import { checkHeader } from './check-file.js'
import { copyDatabase } from './copy-database.js'

/**
 * Copies a database to a file, also while it is written to: the copy is the committed state of one moment. It gets its
 * name once it has been checked and flushed to the disk.
 * @returns how many records the copy has
 * @throws StoreUnavailableError, DatabaseRefusedError, or the system's error; `target` is then unchanged
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
  await flushFolder(dirname(target))
  return copy.records
}
