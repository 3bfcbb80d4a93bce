import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const mount = (...args: string[]) => void execFileSync('mount', args, { stdio: 'ignore' })
const unmount = (folder: string) => void execFileSync('umount', ['-l', folder], { stdio: 'ignore' })

/** Why no disk can be mounted here; undefined if it is possible. */
export const noMounts: string | undefined = (() => {
  if (process.platform !== 'linux') return 'tmpfs exists only on Linux'
  if (process.getuid?.() !== 0) return 'only root may mount'
  const folder = mkdtempSync(join(tmpdir(), 'try-mount-'))
  try {
    mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder)
    unmount(folder)
    return undefined
  } catch {
    return 'mounting is not allowed here'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})()

/** Mounts a small disk for one test, with a second one that can cover it. */
export function smallDisk(size: string) {
  const root = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const mounted: string[] = []
  const mountAt = (folder: string, ...options: string[]) => {
    mount(...options, folder)
    mounted.push(folder)
  }
  onTestFinished(() => {
    for (const folder of mounted.reverse()) unmount(folder)
    rmSync(root, { recursive: true, force: true })
  })
  const disk = join(root, 'disk')
  const other = join(root, 'other')
  for (const folder of [disk, other]) mkdirSync(folder)
  mountAt(disk, '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs')
  mountAt(other, '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs')
  return {
    path: disk,
    /** The second disk. */
    other,
    /** Mounts the second disk over the first, read-only. */
    coverReadOnly() {
      mountAt(disk, '--bind', other)
      mount('-o', 'remount,bind,ro', disk)
    },
    /** Makes the second disk writable. */
    makeWritable: () => mount('-o', 'remount,bind,rw', disk),
    /** Unmounts the second disk. */
    uncover() {
      unmount(disk)
      mounted.pop()
    },
  }
}
