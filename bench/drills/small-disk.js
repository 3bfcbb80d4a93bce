// Small disks (tmpfs) for drills.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Mounts a disk, and retries where that fails: other drills change the list of mounts at the same time, and a folder that is
 * being written to is busy.
 */
function mount(...args) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return execFileSync('mount', args, { stdio: 'pipe' })
    } catch (error) {
      if (attempt === 50) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}
const unmount = (folder) => execFileSync('umount', ['-l', folder], { stdio: 'pipe' })

/** Mounts a disk of a size such as `4m` at a new folder. @returns a function that unmounts it */
export function mountDisk(folder, size) {
  mkdirSync(folder)
  mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder)
  return () => unmount(folder)
}

/** Fills a disk with a file of at most `bytes`. */
export function fill(file, bytes) {
  try {
    writeFileSync(file, Buffer.alloc(bytes))
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error
  }
}

/** The reason why no disk can be mounted here; undefined where it is possible. */
export function noMounts() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return 'only root may mount a disk, on Linux'
  const folder = mkdtempSync(join(tmpdir(), 'try-mount-'))
  try {
    mountDisk(join(folder, 'disk'), '64k')()
    return undefined
  } catch {
    return 'mounting is not allowed here'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
