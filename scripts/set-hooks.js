// Lets git run the hooks of scripts/hooks in this clone; `npm ci` runs this. Nothing happens where this folder is no clone of
// its own, or where hooks are set already.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
// Git sets GIT_DIR for the hooks of another clone, which may run npm here.
const { GIT_DIR: _, GIT_WORK_TREE: __, ...env } = process.env
const git = (...args) => spawnSync('git', args, { cwd: root, env }).status

if (existsSync(join(root, '.git')) && git('config', 'core.hooksPath') === 1) {
  git('config', 'core.hooksPath', 'scripts/hooks')
}
