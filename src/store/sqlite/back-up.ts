import { access, link, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { StateCounts } from '../state-file.js'
import { flushFolder } from '../with-file.js'
import { checkHeader } from './check-file.js'
import { withCopy } from './copy-database.js'

/**
 * Copies a database to a new file, also while it is written to: the copy is the committed state of one moment. It gets
 * its name once it has been opened, checked in full, and flushed to the disk.
 * @returns how many records the copy has
 * @throws StoreUnavailableError, DatabaseRefusedError, or the system's error, such as EEXIST; nothing is left behind then
 */
export async function backUp(file: string, target: string, busyTimeoutMs = 5_000): Promise<StateCounts> {
  await checkHeader(file)
  return withCopy(file, target, busyTimeoutMs, async (copy, records) => {
    await nameNew(copy, target)
    await flushFolder(dirname(target))
    return records
  })
}

/** Gives a file another name, which no file may have: unlike rename(), link() replaces nothing. */
export async function nameNew(file: string, target: string): Promise<void> {
  await link(file, target).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw error
    // The file system has no hard links. Between the two calls another process could take the name.
    await access(target).then(
      () => Promise.reject(Object.assign(new Error(`EEXIST: ${target} exists`), { code: 'EEXIST' })),
      () => rename(file, target),
    )
  })
}
