import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { median } from './statistics.js'

/** How long an fsync of the disk of a folder takes, in ms: the median of 100, each after a page of 4096 bytes was written. */
export function fsyncMs(folder) {
  const path = join(folder, 'fsync')
  const file = openSync(path, 'w')
  const page = Buffer.alloc(4096)
  const times = Array.from({ length: 100 }, () => {
    writeSync(file, page)
    const started = performance.now()
    fsyncSync(file)
    return performance.now() - started
  })
  closeSync(file)
  rmSync(path)
  return median(times)
}
