import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

/** The header of the index of the log: two copies of 12 words. https://sqlite.org/walformat.html#walidxfmt */
const copyWords = 12
/** The place of `iChange` in it, which each commit makes one more. */
const commitsWord = 2

export type WalIndex = {
  /** What is another after each commit, by this process or another, that came before the call. */
  version(): number
  /** How many commits there were until then, from some number on; NaN where one was just being noted. */
  commits(): number
  close(): void
}

const createHeader = () => {
  const words = new Uint32Array(2 * copyWords)
  return { words, bytes: Buffer.from(words.buffer) }
}

/**
 * Follows the commits to a database with a write-ahead log, without asking SQLite: each commit changes the header
 * of the log's index, which SQLite itself compares to know whether what it has read is still true. Reading it
 * takes a microsecond, and `PRAGMA data_version`, which says the same, a way to another thread and back.
 * @param file a database that is open, and has been read
 */
export function followWalIndex(file: string): WalIndex {
  const fd = openSync(`${file}-shm`, 'r')
  let last = createHeader()
  let next = createHeader()
  let serial = 0
  return {
    version() {
      readSync(fd, next.bytes, 0, next.bytes.length, 0)
      if (!next.bytes.equals(last.bytes)) {
        serial += 1
        const read = next
        next = last
        last = read
      }
      return serial
    },
    commits() {
      const { words } = last
      const isWhole = words.subarray(copyWords).every((word, i) => word === words[i])
      return isWhole ? (words[commitsWord] as number) : Number.NaN
    },
    // To close any descriptor of a file gives up all locks that the process has on it, SQLite's too (POSIX). So
    // it stays open while the file is there, where another connection of this process may have it open as well;
    // the last connection to the database removes the file.
    close() {
      if (statSync(`${file}-shm`, { throwIfNoEntry: false })?.ino !== fstatSync(fd).ino) closeSync(fd)
    },
  }
}
