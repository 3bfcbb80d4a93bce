import { execFile, spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

/** Why an earlier release cannot be built from its commit; undefined where it can. */
export const noRelease = (commit: string): string | undefined =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`]).status === 0
    ? undefined
    : `the git history has no ${commit.slice(0, 7)}`

/**
 * Builds an earlier release: its executable, from the sources of its commit, with the dependencies of this one. What only
 * earlier ones need is a development dependency (`@fastify/rate-limit`, `@fastify/under-pressure`).
 * @param folder is empty
 * @returns its executable
 */
export async function buildRelease(commit: string, folder: string): Promise<string> {
  const run = promisify(execFile)
  const archive = join(folder, 'release.tar')
  const paths = ['bin', 'src', 'fixtures', 'package.json', 'tsconfig.json']
  await run('git', ['archive', '--output', archive, commit, ...paths])
  await run('tar', ['-xf', archive, '-C', folder])
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const bundle = await rolldown({
    input: { main: join(folder, 'src/cli/main.ts') },
    // Packages are loaded from node_modules.
    external: /^[^./]/,
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx'] } },
  })
  await bundle.write({ dir: join(folder, 'dist/executable'), format: 'esm' })
  return join(folder, 'bin/dashboard-api.js')
}
