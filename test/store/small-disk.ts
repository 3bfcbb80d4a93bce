import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const mount = (...args: string[]) => void execFileSync('mount', args, { stdio: 'ignore' })
const unmount = (folder: string) => void execFileSync('umount', ['-l', folder], { stdio: 'ignore' })

/** Why no disk can be mounted here; undefined where one can. */
export const noMounts: string | undefined = (() => {
  if (process.platform !== 'linux') return 'tmpfs is of Linux'
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

/** A small disk of its own, gone after the test; `readOnly` lays another, read-only one over it for a while. */
export function smallDisk(size: string) {
  const root = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const mounted: string[] = []
  const lay = (folder: string, ...options: string[]) => {
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
  lay(disk, '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs')
  lay(other, '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs')
  return {
    path: disk,
    /** A second disk, to be laid over the first. */
    other,
    /** From now on the path leads to the second disk, which cannot be written. */
    coverReadOnly() {
      lay(disk, '--bind', other)
      mount('-o', 'remount,bind,ro', disk)
    },
    /** The second disk can be written. */
    makeWritable: () => mount('-o', 'remount,bind,rw', disk),
    /** The path leads to the first disk again. */
    uncover() {
      unmount(disk)
      mounted.pop()
    },
  }
}
