import { type BigIntStats, statSync } from 'node:fs'
import { followLinks } from './follow-links.js'

/** The inodes of a database file, its write-ahead log, and the log's index; and the file's size and last changes. */
export type FileIdentity = {
  file: string
  log: string | undefined
  index: string | undefined
  size: bigint
  changedAt: string
}

/**
 * Identifies the file at a path; undefined if there is none, or it cannot be accessed. Synchronous: stat() of a file
 * that is open is answered from the system's cache, which costs less than a call on another thread.
 */
export function identify(path: string): FileIdentity | undefined {
  const real = followLinks(path)
  const found = statOf(real)
  if (found === undefined) return undefined
  const [log, index] = [statOf(`${real}-wal`), statOf(`${real}-shm`)]
  return {
    file: inodeOf(found),
    log: log && inodeOf(log),
    index: index && inodeOf(index),
    size: found.size,
    changedAt: `${found.mtimeNs} ${found.ctimeNs}`,
  }
}

/** Whether these are the same files, whatever was written to them. */
export const isSame = (a: FileIdentity | undefined, b: FileIdentity | undefined): boolean =>
  a?.file === b?.file && a?.log === b?.log && a?.index === b?.index

/** Whether it is the same file, to which nothing was written. */
export const isUnchanged = (a: FileIdentity | undefined, b: FileIdentity | undefined): boolean =>
  a?.file === b?.file && a?.size === b?.size && a?.changedAt === b?.changedAt

const inodeOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return undefined
  }
}
