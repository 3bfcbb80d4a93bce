import { closeSync, openSync, readSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { countDescriptors } from './open-here.js'

/** The version of the index's format, its first word (iVersion): https://sqlite.org/walformat.html#walidxfmt */
const formatVersion = 3_007_000
/** The index starts with two copies of a header of 12 words, in the byte order of the machine. */
const headerBytes = 2 * 12 * 4

/**
 * Detects commits to a database with a write-ahead log. Every commit changes the header of the log's index; SQLite compares
 * that header to validate its own page cache. Reading it is far cheaper than a query.
 * Returns no counter where the header is unsafe to read: on Windows, where a read may miss writes through a memory map, in a
 * worker thread, whose end closes its descriptors, and with another format version. Callers query then.
 * @param file a database that is open and has been read, so that its index exists
 */
export function openWalIndex(file: string, platform: NodeJS.Platform = process.platform) {
  if (platform === 'win32' || !isMainThread) return { changeCounter: () => undefined, close() {} }

  const fd = openSync(`${file}-shm`, 'r')
  const words = new Uint32Array(headerBytes / 4)
  const header = Buffer.from(words.buffer)
  const last = Buffer.alloc(headerBytes)
  let counter = 0
  return {
    /** Changes with every commit, by any process, that ended before the call; undefined if it cannot be read. */
    changeCounter(): number | undefined {
      const isComplete = readSync(fd, header, 0, headerBytes, 0) === headerBytes
      if (!isComplete || words[0] !== formatVersion) return undefined
      if (!header.equals(last)) {
        counter += 1
        header.copy(last)
      }
      return counter
    },
    // Closing any descriptor of a file releases all locks of the process on it, also SQLite's (POSIX). While the process has
    // other connections to the database, the descriptor stays open.
    close() {
      if (countDescriptors(`${file}-shm`) <= 1) closeSync(fd)
    },
  }
}
