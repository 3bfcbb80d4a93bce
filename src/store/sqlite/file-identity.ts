import { statSync } from 'node:fs'

/** The inodes of a database file, its write-ahead log, and the log's index. */
export type FileIdentity = { file: string; log: string | undefined; index: string | undefined }

/**
 * Identifies the file at a path; undefined if there is none, or it cannot be accessed. Synchronous: stat() of a file
 * that is open is answered from the system's cache, which costs less than a call on another thread.
 */
export function identify(path: string): FileIdentity | undefined {
  const file = inodeOf(path)
  if (file === undefined) return undefined
  return { file, log: inodeOf(`${path}-wal`), index: inodeOf(`${path}-shm`) }
}

export const isSame = (a: FileIdentity | undefined, b: FileIdentity): boolean =>
  a?.file === b.file && a.log === b.log && a.index === b.index

function inodeOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
