import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const source = new URL('slow-fsync.c', import.meta.url).pathname

/** How much longer each fsync takes, in ms. */
export const delayMs = 2

/** Compiles the library that makes fsync slow, to be loaded with LD_PRELOAD. Returns its file. */
export function compileSlowFsync(folder) {
  if (process.platform !== 'linux') throw new Error('slowing down fsync needs Linux')
  const library = join(folder, 'slow-fsync.so')
  const { status, stderr, error } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  if (status !== 0) throw new Error(`cc cannot compile slow-fsync.c: ${error?.message ?? stderr}`)
  return library
}
