import { spawnSync } from 'node:child_process'
import { basename, join } from 'node:path'

/**
 * Compiles a library that stands before libc (LD_PRELOAD). Returns its file.
 * @throws Error that says why it is impossible
 */
export function compileLibrary(source, folder) {
  if (process.platform !== 'linux') throw new Error(`${basename(source)} needs Linux`)
  const library = join(folder, `${basename(source)}.so`)
  const { status, stderr, error } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  if (status !== 0) throw new Error(`cc cannot compile ${basename(source)}: ${error?.message ?? stderr}`)
  return library
}
