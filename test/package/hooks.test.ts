import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { emptyFolder } from '../cli/cli-process.js'

const run = promisify(execFile)
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

describe('a clone after npm ci', () => {
  let folder: string
  /** Runs the script that npm runs at the end of `npm ci`. */
  const prepare = (cwd = folder) => run(scripts.postprepare, { cwd, shell: true })
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...args], { cwd: folder })
  const commit = (message: string) => git('commit', '--allow-empty', '--message', message)

  beforeEach(async () => {
    folder = emptyFolder()
    await git('init', '--quiet')
    await cp('scripts', join(folder, 'scripts'), { recursive: true })
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await prepare()
  })

  it('refuses a commit whose subject has more than 72 characters', async () => {
    const long = `fix: ${'a'.repeat(68)}`
    await expect(commit(long)).rejects.toThrow(/The subject has 73 characters, and at most 72/)
    await expect(commit(`fix: ${'a'.repeat(40)}\n${'a'.repeat(40)}\n\nBody`)).rejects.toThrow(/86 characters/)
  })

  it('accepts 72 characters of any script, and a body with longer lines', async () => {
    await commit(`fix: ${'ü'.repeat(67)}\n\n${'a'.repeat(200)}`)
  })

  it.each(['Refuse a replaced file', 'fix:refuse it', 'mend(store): refuse it', 'fix(Store): refuse it'])(
    'refuses "%s", which is not a Conventional Commit',
    async (subject) => {
      await expect(commit(subject)).rejects.toThrow(/not a Conventional Commit/)
    },
  )

  it.each(['feat: add it', 'fix(store)!: refuse it', 'Merge branch "x"', 'fixup! fix: it'])(
    'accepts "%s"',
    async (subject) => {
      await commit(subject)
    },
  )

  it('keeps hooks that were set before', async () => {
    await git('config', 'core.hooksPath', 'my-hooks')
    await prepare()
    expect((await git('config', 'core.hooksPath')).stdout).toBe('my-hooks\n')
  })

  it("does not change another project's clone in which it lies without its own clone", async () => {
    await git('config', '--unset', 'core.hooksPath')
    const inner = join(folder, 'vendored')
    await cp('scripts', join(inner, 'scripts'), { recursive: true })
    await prepare(inner)
    await expect(git('config', 'core.hooksPath')).rejects.toMatchObject({ code: 1 })
  })

  it("does not change another project's clone whose hook runs npm", async () => {
    const other = emptyFolder()
    await run('git', ['init', '--quiet'], { cwd: other })
    const env = { ...process.env, GIT_DIR: join(other, '.git') }
    await git('config', '--unset', 'core.hooksPath')
    await run(scripts.postprepare, { cwd: folder, shell: true, env })
    await expect(run('git', ['config', 'core.hooksPath'], { cwd: other })).rejects.toMatchObject({ code: 1 })
    expect((await git('config', 'core.hooksPath')).stdout).toBe('scripts/hooks\n')
  })

  it('installs without the scripts, as from a packed package', async () => {
    await prepare(emptyFolder())
  })

  it('uses a script that npm does not ask installing users to allow', () => {
    const asked = ['preinstall', 'install', 'postinstall', 'prepare']
    expect(Object.keys(scripts).filter((name) => asked.includes(name))).toEqual([])
  })
})
