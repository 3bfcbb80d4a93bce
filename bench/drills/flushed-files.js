// What a disk holds after a power cut, from what `keep-flushed.c` kept of a process.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileLibrary } from '../compile-library.js'

const source = new URL('keep-flushed.c', import.meta.url).pathname
const sectorBytes = 512

/** Why nothing can be kept here; undefined where it is possible. */
export function cannotKeepFlushed() {
  if (process.platform !== 'linux') return 'keeping what a process flushes needs Linux'
  return spawnSync('cc', ['--version']).status === 0 ? undefined : 'there is no C compiler'
}

/**
 * @param folder whose files are watched
 * @param flushed an empty folder for what was flushed of them
 */
export function watchFlushes(folder, flushed) {
  const contentOf = (file) => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0))
  return {
    /** The environment of a process that is watched. */
    env: {
      LD_PRELOAD: compileLibrary(source, flushed),
      WATCHED_FOLDER: folder,
      FLUSHED_FOLDER: flushed,
    },
    /** From now on the files, as they are, count as flushed. */
    settle() {
      for (const name of readdirSync(flushed)) if (/^(file|name)-/.test(name)) rmSync(join(flushed, name))
      for (const name of readdirSync(folder)) {
        copyFileSync(join(folder, name), join(flushed, `file-${name}`))
        writeFileSync(join(flushed, `name-${name}`), '')
      }
    },
    /**
     * The content of each file after a power cut, by name: what was flushed, and of what came later, what is kept of it: each
     * sector, length and name may be there or not.
     * @param isKept tells of each whether it is
     */
    cut(isKept) {
      const disk = new Map()
      for (const name of readdirSync(folder)) {
        if (!existsSync(join(flushed, `name-${name}`)) && !isKept()) continue
        const [old, now] = [join(flushed, `file-${name}`), join(folder, name)].map(contentOf)
        const left = Buffer.alloc(now.length !== old.length && isKept() ? now.length : old.length)
        old.copy(left)
        for (let from = 0; from < Math.min(left.length, now.length); from += sectorBytes) {
          const sector = now.subarray(from, from + sectorBytes)
          if (!sector.equals(old.subarray(from, from + sectorBytes)) && isKept()) sector.copy(left, from)
        }
        disk.set(name, left)
      }
      return disk
    },
  }
}
