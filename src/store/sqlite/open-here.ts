import { fstatSync, readdirSync, statSync } from 'node:fs'

/** Lists the open descriptors of the process, of all its threads and libraries. */
const descriptors = process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd'

/**
 * Counts the descriptors of this process that lead to a file. Closing one of them releases all locks of the process on the
 * file, also SQLite's (POSIX): what is open here is read by SQLite alone. Windows has other locks.
 */
export function countDescriptors(file: string): number {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  if (!found || process.platform === 'win32') return 0
  return readdirSync(descriptors).filter((name) => {
    try {
      const { dev, ino } = fstatSync(Number(name), { bigint: true })
      return dev === found.dev && ino === found.ino
    } catch {
      // Closed meanwhile, as is the one by which the folder was listed.
      return false
    }
  }).length
}

export const isOpenHere = (file: string): boolean => countDescriptors(file) > 0
