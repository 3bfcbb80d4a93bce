import { fstatSync, readdirSync, statSync } from 'node:fs'

/** Has the open descriptors of the process, of all its threads and libraries. */
const folder = process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd'

/** The numbers of the descriptors. A process that gave up its rights cannot list them: then the first thousand. */
function descriptors(): number[] {
  try {
    return readdirSync(folder).map(Number)
  } catch {
    return Array.from({ length: 1024 }, (_, descriptor) => descriptor)
  }
}

/**
 * Counts the descriptors of this process that lead to a file. Closing one of them releases all locks of the process on the
 * file, also SQLite's (POSIX): what is open here is read by SQLite alone. Windows has other locks.
 */
export function countDescriptors(file: string): number {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  if (!found || process.platform === 'win32') return 0
  return descriptors().filter((descriptor) => {
    try {
      const { dev, ino } = fstatSync(descriptor, { bigint: true })
      return dev === found.dev && ino === found.ino
    } catch {
      // Not open, or closed meanwhile, as the one by which the folder was listed.
      return false
    }
  }).length
}

export const isOpenHere = (file: string): boolean => countDescriptors(file) > 0
