import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionSecret } from '../cli/cli-process.js'

const run = promisify(execFile)

describe('the package, packed from a fresh clone and installed in an empty folder', () => {
  let folder: string
  let tarball: string
  let installMessages: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-api-packed-'))
    const clone = join(folder, 'clone')
    await copyProject(clone)
    // It has no dist: `npm pack` builds.
    await run('npm', ['pack', '--pack-destination', folder], { cwd: clone })
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    tarball = join(folder, `dashboard-api-${version}.tgz`)
    await rm(clone, { recursive: true })
    const { stderr } = await run(
      'npm',
      ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', tarball],
      { cwd: folder },
    )
    installMessages = stderr
  }, 240_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const npx = (...args: string[]) => run('npx', ['dashboard-api', ...args], { cwd: folder })
  const installed = (name: string) => join(folder, 'node_modules', name)

  it('has entry points whose types and files agree', async () => {
    const pkg = JSON.parse(await readFile('package.json', 'utf8'))
    const { messages } = await publint({ level: 'warning' })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])

    const checked = await checkPackage(createPackageFromTarballData(await readFile(tarball)))
    // The package is ESM only: it supports neither `require` nor resolution without `exports`.
    const supported = ['node16-esm', 'bundler']
    const problems = checked.types ? checked.problems : ['no types']
    expect(problems.filter((problem) => concerns(problem, supported))).toEqual([])
  })

  it('needs no newer Node than it supports, and no compiler', () => {
    expect(installMessages).not.toContain('EBADENGINE')
    expect(existsSync(installed('sqlite3'))).toBe(false)
  })

  it('has the licence, the changelog and the documents', () => {
    for (const file of ['LICENSE', 'CHANGELOG.md', 'README.md', 'docs/operations.md']) {
      expect(existsSync(join(installed('dashboard-api'), file)), file).toBe(true)
    }
  })

  it.each([
    ['seed', '--database', 'a.db'],
    ['serve', '--database', 'a.db'],
  ])('says in one line that %s needs sqlite3', async (...args) => {
    const failure = await run('npx', ['dashboard-api', ...args], {
      cwd: folder,
      env: { ...process.env, DASHBOARD_API_SESSION_SECRET: sessionSecret, npm_config_loglevel: 'silent' },
    }).catch((error) => error)
    expect(failure.stderr).toBe(
      'error: A database needs the package sqlite3. Install it with: npm install sqlite3\n',
    )
    expect(failure.code).toBe(2)
  })

  /** Runs a server of the package while `check` runs. */
  async function whileServing(args: string[], check: (url: string, mode: string) => Promise<void>) {
    const child = spawn('npx', ['dashboard-api', ...args, '--port', '0', '--json'], {
      cwd: folder,
      env: { ...process.env, DASHBOARD_API_SESSION_SECRET: sessionSecret },
      // A process group of its own: ending npx alone would leave the server running.
      detached: true,
    })
    try {
      const [line] = await once(createInterface(child.stdout), 'line')
      const { url, mode } = JSON.parse(line)
      await check(url, mode)
    } finally {
      process.kill(-(child.pid ?? 0))
      await once(child, 'exit')
    }
  }

  it('serves the mock with `npx dashboard-api dev`', () =>
    whileServing(['dev'], async (url, mode) => {
      expect(mode).toBe('mock')
      const response = await fetch(`${url}/v1/projects`, { headers: { cookie: 'session=acme-owner' } })
      expect(((await response.json()) as { projects: unknown[] }).projects).toHaveLength(4)
    }))

  it('says which entry point to import in Node', async () => {
    const script = "import('dashboard-api/browser').catch((error) => console.log(error.message))"
    const { stdout } = await run('node', ['-e', script], { cwd: folder })
    expect(stdout).toContain('import dashboard-api/node')
  })

  describe('with sqlite3', () => {
    // As `npm install sqlite3` leaves it; this checkout has compiled it already.
    beforeAll(async () => {
      for (const name of ['sqlite3', 'bindings', 'file-uri-to-path']) {
        await cp(`node_modules/${name}`, installed(name), { recursive: true })
      }
    })

    it('serves production with `npx dashboard-api serve`', () =>
      whileServing(['serve', '--database', 'b.db'], async (url, mode) => {
        expect(mode).toBe('production')
        expect((await fetch(`${url}/readyz`)).status).toBe(200)
      }))

    it('seeds a database', async () => {
      const { stdout } = await npx('seed', '--database', 'a.db', '--json')
      expect(JSON.parse(stdout)).toMatchObject({ created: { projects: 6 } })
    })

    it('says how to build a driver that has no binary', async () => {
      await rm(join(installed('sqlite3'), 'build'), { recursive: true })
      const failure = await npx('seed', '--database', 'c.db').catch((error) => error)
      expect(failure.stderr).toContain('npm rebuild sqlite3\n')
      expect(failure.stderr).not.toContain('    at ')
      expect(failure.code).toBe(2)
    })
  })
})

/** Copies the files that git tracks, or would track, beside the dependencies that are installed here. */
async function copyProject(target: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  const files = stdout.split('\0').filter((file) => file && existsSync(file))
  for (const file of files) {
    await mkdir(dirname(join(target, file)), { recursive: true })
    await cp(file, join(target, file))
  }
  await symlink(join(process.cwd(), 'node_modules'), join(target, 'node_modules'))
}

/** Whether a problem is one of a way of resolving that the package supports. */
function concerns(problem: unknown, supported: string[]): boolean {
  if (typeof problem !== 'object' || problem === null) return true
  const { kind, resolutionKind, resolutionOption } = problem as Record<string, string | undefined>
  if (kind === 'CJSResolvesToESM') return false
  return supported.includes(resolutionKind ?? '') || (!resolutionKind && resolutionOption !== 'node10')
}
