import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseRefusedError } from '../database-refused.js'
import { flushFolder } from '../with-file.js'
import { isOpenHere } from './open-here.js'

// https://sqlite.org/fileformat2.html
const headerBytes = 100
const walHeaderBytes = 32
/** The write and the read version: 1 for a file without a write-ahead log, 2 for one with a log. */
const [writeVersion, readVersion] = [18, 19]

/** Reads the header of a file that is not open in this process, without SQLite, which could create files beside it. */
export function readHeader(file: string): Buffer {
  const descriptor = openSync(file, 'r')
  try {
    const header = Buffer.alloc(headerBytes)
    return header.subarray(0, readSync(descriptor, header, 0, headerBytes, 0))
  } finally {
    closeSync(descriptor)
  }
}

/** Whether a database has a write-ahead log, by its header. A backup has none. */
export const usesLog = (header: Buffer): boolean => header[writeVersion] !== 1 || header[readVersion] !== 1

/**
 * Whether the log beside a file belongs to another file: the header says that the file has none, or the file is empty or
 * missing. SQLite would apply the log, or remove it. It writes the header before the first entry of a log, and removes a log
 * before it changes the header back, so the log is looked at first.
 * @param file without links
 */
export function hasForeignLog(file: string): boolean {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })
  if (!log || log.size <= walHeaderBytes || isOpenHere(file)) return false
  const own = statSync(file, { throwIfNoEntry: false })
  return !own || own.size === 0 || !usesLog(readHeader(file))
}

/**
 * Renames the log of another file: it may hold acknowledged writes.
 * @param file without links
 * @param onWarning gets a sentence with both names
 * @throws DatabaseRefusedError if it cannot be renamed
 */
export async function setForeignLogAside(
  file: string,
  onWarning: (warning: string) => void = (warning) => process.emitWarning(warning),
): Promise<void> {
  if (!hasForeignLog(file)) return
  const time = new Date().toISOString().replace(/[-:.]/g, '')
  const [log, kept] = [`${file}-wal`, `${file}.other-log-${time}-wal`]
  try {
    renameSync(log, kept)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another process was faster.
    if (code === 'ENOENT') return
    const reason = `the log ${log} was left by another file, and cannot be renamed (${code})`
    throw new DatabaseRefusedError(file, reason, 'Move it to another folder.', error)
  }
  await flushFolder(dirname(file))
  onWarning(`The log ${log} was left by another file, and was not applied to ${file}. It is now ${kept}`)
}
