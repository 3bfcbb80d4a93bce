import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** As many as Linux follows. */
const maxLinks = 40

/**
 * The file that symbolic links lead to, which need not exist: SQLite keeps the log beside it. Whatever derives the name of
 * a file beside a database has to begin here. A loop, or what cannot be accessed, is returned as it is.
 */
export function followLinks(path: string, left = maxLinks): string {
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    if (!isLink || left === 0) return path
    return followLinks(resolve(realpathSync(dirname(path)), readlinkSync(path)), left - 1)
  } catch {
    return path
  }
}
