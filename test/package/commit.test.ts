import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { emptyFolder } from '../cli/cli-process.js'

const noGit = spawnSync('git', ['--version']).error && 'git is not installed'

afterEach(() => void vi.unstubAllEnvs())

/** The commit that the build would insert, in a folder with the files of this project. */
async function commitIn(folder: string): Promise<string> {
  mkdirSync(join(folder, 'scripts'), { recursive: true })
  cpSync('scripts/commit.js', join(folder, 'scripts/commit.js'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return (await import(pathToFileURL(join(folder, 'scripts/commit.js')).href)).sourceCommit()
}

function repository(): { folder: string; head: string; git(...args: string[]): string } {
  const folder = emptyFolder()
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' })
  git('init', '--quiet')
  writeFileSync(join(folder, 'file.txt'), 'committed')
  git('add', '.')
  git('commit', '--quiet', '--message', 'First')
  return { folder, head: git('rev-parse', 'HEAD').trim(), git }
}

describe(`the commit of a build${noGit ? ` (skipped: ${noGit})` : ''}`, { skip: Boolean(noGit) }, () => {
  it('comes from git, with a mark if a file was changed since', async () => {
    const { folder, head } = repository()
    vi.stubEnv('SOURCE_COMMIT', undefined)
    expect(await commitIn(folder)).toBe(head)
    writeFileSync(join(folder, 'file.txt'), 'changed')
    expect(await commitIn(folder)).toBe(`${head}-dirty`)
  })

  it('is SOURCE_COMMIT if that is set', async () => {
    vi.stubEnv('SOURCE_COMMIT', '1a2b3c4')
    expect(await commitIn(repository().folder)).toBe('1a2b3c4')
  })

  it('is a build argument of the image', () => {
    expect(readFileSync('Containerfile', 'utf8')).toMatch(/^ARG SOURCE_COMMIT\nRUN npm run build$/m)
  })

  it('is empty without git, and in a folder of another project', async () => {
    vi.stubEnv('SOURCE_COMMIT', undefined)
    expect(await commitIn(emptyFolder())).toBe('')
    expect(await commitIn(join(repository().folder, 'vendor/dashboard-api'))).toBe('')
  })
})
