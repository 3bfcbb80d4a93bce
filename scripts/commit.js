import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)

/**
 * The commit that is built, with `-dirty` if files were changed since; from SOURCE_COMMIT where that is set, as in an image.
 * '' where neither is there. The folder of another project's git is not asked.
 */
export function sourceCommit() {
  const { SOURCE_COMMIT } = process.env
  if (SOURCE_COMMIT || !existsSync(new URL('.git', root))) return SOURCE_COMMIT ?? ''
  const args = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*']
  try {
    const options = { cwd: fileURLToPath(root), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
    return execFileSync('git', args, options).trim()
  } catch {
    return ''
  }
}
