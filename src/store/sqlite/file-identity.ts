import { statSync } from 'node:fs'

/** Which file a path leads to, and which write-ahead log and index of it lie beside it: names do not say, inodes do. */
export type FileIdentity = { file: string; log: string | undefined; index: string | undefined }

/**
 * What is at a path now; undefined where there is no file, or none that can be looked at. It waits for nothing: what
 * the system keeps in memory of a file that is open costs less to ask for here than on another thread.
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
