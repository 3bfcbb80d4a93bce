import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

/** The version of the index's format, its first word (iVersion): https://sqlite.org/walformat.html#walidxfmt */
const formatVersion = 3_007_000
/** The index starts with two copies of a header of 12 words, in the byte order of the machine. */
const headerBytes = 2 * 12 * 4

/** The last version of any index: no two files have one in common. */
let versions = 0

/**
 * Detects commits to a database with a write-ahead log. Every commit changes the header of the log's index, and
 * SQLite compares that header to know whether its own page cache is valid. Reading it takes 1 µs.
 *
 * The header is not used where that is unsafe: on Windows, where a read need not see what was written through a memory
 * map, and where its format version is another one. The version then changes with every call, so that callers query
 * the changes (40 µs). `PRAGMA data_version` is a query too (22 µs), and does not tell what changed.
 * @param file a database that is open and has been read, so that its index exists
 */
export function openWalIndex(file: string, platform: NodeJS.Platform = process.platform) {
  if (platform === 'win32') return { version: () => ++versions, close() {} }

  const fd = openSync(`${file}-shm`, 'r')
  const words = new Uint32Array(headerBytes / 4)
  const header = Buffer.from(words.buffer)
  const last = Buffer.alloc(headerBytes)
  let version = 0
  return {
    /** Changes with every commit, by any process, that ended before the call. */
    version() {
      const isComplete = readSync(fd, header, 0, headerBytes, 0) === headerBytes
      const isKnown = isComplete && words[0] === formatVersion
      if (!isKnown || !header.equals(last)) {
        versions += 1
        version = versions
        header.copy(last)
      }
      return version
    },
    // Closing any descriptor of a file releases all locks of the process on that file, SQLite's too (POSIX). So it
    // stays open while the file exists, since another connection of this process may use it. The last connection to
    // the database removes the file.
    close() {
      if (statSync(`${file}-shm`, { throwIfNoEntry: false })?.ino !== fstatSync(fd).ino) closeSync(fd)
    },
  }
}
