import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { noMounts as findReason, mountDisk } from '../../bench/drills/small-disk.js'

/** The reason why no disk can be mounted here; undefined if it is possible. */
export const noMounts: string | undefined = findReason()

/** Mounts a small disk for one test. */
export function smallDisk(size: string): { path: string } {
  const root = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const path = join(root, 'disk')
  const unmount = mountDisk(path, size)
  onTestFinished(() => {
    unmount()
    rmSync(root, { recursive: true, force: true })
  })
  return { path }
}
