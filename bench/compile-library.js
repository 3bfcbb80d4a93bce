import { spawnSync } from 'node:child_process'
import { basename, join } from 'node:path'

/**
 * Compiles a library for LD_PRELOAD.
 * @returns the path of the library
 * @throws Error with the reason if it cannot be compiled here
 */
export function compileLibrary(source, folder) {
  if (process.platform !== 'linux') throw new Error(`${basename(source)} needs Linux`)
  const library = join(folder, `${basename(source)}.so`)
  const { status, stderr, error } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  if (status !== 0) throw new Error(`cc cannot compile ${basename(source)}: ${error?.message ?? stderr}`)
  return library
}
