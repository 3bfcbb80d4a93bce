import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** npm requests only packages that its cache lacks. */
export const fromCache = { npm_config_prefer_offline: 'true' }

/**
 * Packs the installed sqlite3 into a folder, as a prebuilt binary. npm finds it with `npm_config_sqlite3_local_prebuilds`.
 */
export function packDriver(folder: string): void {
  const { version, binary } = createRequire(import.meta.url)('sqlite3/package.json')
  const napi = Math.max(...binary.napi_versions)
  const name = `sqlite3-v${version}-napi-v${napi}-${process.platform}-${process.arch}.tar.gz`
  const built = 'build/Release/node_sqlite3.node'
  execFileSync('tar', ['-czf', join(folder, name), '-C', 'node_modules/sqlite3', built])
}
