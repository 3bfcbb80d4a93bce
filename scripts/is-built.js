import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What a build is made of. The log of the checkout tells of another commit, which a build has in it. */
const sources = ['src', 'workbench', 'scripts', 'rolldown.config.js', 'tsconfig.json']
const around = ['package.json', 'package-lock.json', '.git/logs/HEAD']

/** The file that a build writes last. */
const result = 'dist/executable/main.js'

/** When a file was changed, in milliseconds; of a folder also when an entry came or went. 0 where there is none. */
function changedAt(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0
  const entries = readdirSync(path).filter((name) => name !== 'node_modules')
  return Math.max(stats.mtimeMs, ...entries.map((name) => changedAt(join(path, name))))
}

/** Whether the build of a checkout is newer than all it is made of. */
export const isBuilt = (root) =>
  Math.max(...[...sources, ...around].map((path) => changedAt(join(root, path)))) <
  changedAt(join(root, result))
