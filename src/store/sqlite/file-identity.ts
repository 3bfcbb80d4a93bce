import { statSync } from 'node:fs'
import { followLinks } from './follow-links.js'

/** The inodes of a database file, of its write-ahead log, and of both with the log's index; and the file's size. */
export type FileIdentity = { file: string; log: string | undefined; all: string; size: bigint }

/**
 * Identifies the file at a path; undefined if there is none, or it cannot be accessed. Synchronous: stat() of a file
 * that is open is answered from the system's cache, which costs less than a call on another thread.
 */
export function identify(path: string): FileIdentity | undefined {
  const real = followLinks(path)
  try {
    const { dev, ino, size } = statSync(real, { bigint: true })
    const [file, log] = [`${dev}:${ino}`, inodeOf(`${real}-wal`)]
    return { file, log, all: [file, log, inodeOf(`${real}-shm`)].join(' '), size }
  } catch {
    return undefined
  }
}

function inodeOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
