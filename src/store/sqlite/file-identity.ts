import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** The inodes of a database file, its write-ahead log and the log's index, and the size of the file. */
export type FileIdentity = { file: string; log: string | undefined; index: string | undefined; size: bigint }

/**
 * Identifies the file at a path. Synchronous: for an open file the system answers from its cache, which costs less than a call
 * on another thread.
 * @param real the path without links, if known: SQLite keeps the log beside it
 * @throws the system's error if the file is missing or cannot be accessed
 */
export function identityOf(path: string, real = realFile(path)): FileIdentity {
  const { dev, ino, size } = statSync(path, { bigint: true })
  return { file: `${dev}:${ino}`, log: inodeOf(`${real}-wal`), index: inodeOf(`${real}-shm`), size }
}

/** Identifies the file at a path; undefined if it is missing or cannot be accessed. */
export function identify(path: string): FileIdentity | undefined {
  try {
    return identityOf(path)
  } catch {
    return undefined
  }
}

/** Describes an error of `identityOf`, to follow the name of the file. */
export const describeFault = ({ code }: NodeJS.ErrnoException): string =>
  code === 'ENOENT' ? 'is no longer at its path' : `cannot be accessed any more (${code})`

function inodeOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/** The path of a file without links; the file need not exist. */
export function realFile(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const file = resolve(path)
    try {
      return join(realpathSync(dirname(file)), basename(file))
    } catch {
      return file
    }
  }
}
