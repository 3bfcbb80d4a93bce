import { statSync } from 'node:fs'
import { followLinks } from './follow-links.js'

/** The inodes of a database file, its write-ahead log, and the log's index. */
export type FileIdentity = { file: string; log: string | undefined; index: string | undefined }

/**
 * Identifies the file at a path; undefined if there is none, or it cannot be accessed. Synchronous: stat() of a file
 * that is open is answered from the system's cache, which costs less than a call on another thread.
 */
export function identify(path: string): FileIdentity | undefined {
  const real = followLinks(path)
  const file = inodeOf(real)
  if (file === undefined) return undefined
  return { file, log: inodeOf(`${real}-wal`), index: inodeOf(`${real}-shm`) }
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
