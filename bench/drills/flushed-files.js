// Simulates the disk after a power cut, from the copies that `keep-flushed.c` makes at each flush.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileLibrary } from '../compile-library.js'

const source = new URL('keep-flushed.c', import.meta.url).pathname
const sectorBytes = 512

/** The reason why flushes cannot be watched here; undefined where they can. */
export function cannotKeepFlushed() {
  if (process.platform !== 'linux') return 'keeping what a process flushes needs Linux'
  return spawnSync('cc', ['--version']).status === 0 ? undefined : 'there is no C compiler'
}

/**
 * @param folder the folder of the watched files
 * @param flushed an empty folder, for the copies
 */
export function watchFlushes(folder, flushed) {
  const contentOf = (file) => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0))
  return {
    /** The environment of the watched process. */
    env: {
      LD_PRELOAD: compileLibrary(source, flushed),
      WATCHED_FOLDER: folder,
      FLUSHED_FOLDER: flushed,
    },
    /** Counts the present files as flushed. */
    settle() {
      for (const name of readdirSync(flushed)) if (/^(file|name)-/.test(name)) rmSync(join(flushed, name))
      for (const name of readdirSync(folder)) {
        copyFileSync(join(folder, name), join(flushed, `file-${name}`))
        writeFileSync(join(flushed, `name-${name}`), '')
      }
    },
    /**
     * Returns the content and the time of each file after a power cut, by name: the flushed content, with some of the later
     * writes. Each changed sector, length, name and time is kept or lost. The index of the log (`-shm`), which is never flushed,
     * is as old as its first flush.
     * @param isKept is called for each of them
     */
    cut(isKept) {
      const disk = new Map()
      for (const name of readdirSync(folder)) {
        if (!existsSync(join(flushed, `name-${name}`)) && !isKept()) continue
        const paths = [join(flushed, `file-${name}`), join(folder, name)]
        const [old, now] = paths.map(contentOf)
        const left = Buffer.alloc(now.length !== old.length && isKept() ? now.length : old.length)
        old.copy(left)
        for (let from = 0; from < Math.min(left.length, now.length); from += sectorBytes) {
          const sector = now.subarray(from, from + sectorBytes)
          if (!sector.equals(old.subarray(from, from + sectorBytes)) && isKept()) sector.copy(left, from)
        }
        const { mtime } = statSync(existsSync(paths[0]) && !isKept() ? paths[0] : paths[1])
        disk.set(name, { content: left, mtime })
      }
      return disk
    },
  }
}
