import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionSecret } from '../cli/cli-process.js'

const run = promisify(execFile)

describe('the package as packed and installed in an empty folder', () => {
  let folder: string
  let tarball: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-api-packed-'))
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder])
    tarball = join(folder, JSON.parse(stdout)[0].filename)
    // sqlite3 was compiled in this checkout a moment ago; its binary is copied instead of built again.
    const install = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', tarball]
    await run('npm', install, { cwd: folder })
    await cp('node_modules/sqlite3/build', join(folder, 'node_modules/sqlite3/build'), { recursive: true })
  }, 240_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has entry points whose types and files agree', async () => {
    const pkg = JSON.parse(await readFile('package.json', 'utf8'))
    const { messages } = await publint({ level: 'warning' })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])

    const checked = await checkPackage(createPackageFromTarballData(await readFile(tarball)))
    // The package is ESM alone: `require` of it, and resolution from before `exports`, are not offered.
    const offered = ['node16-esm', 'bundler']
    const problems = checked.types ? checked.problems : ['no types']
    expect(problems.filter((problem) => concerns(problem, offered))).toEqual([])
  })

  /** Runs a server of the package until something was checked. */
  async function whileServing(args: string[], check: (url: string, mode: string) => Promise<void>) {
    const child = spawn('npx', ['dashboard-api', ...args, '--port', '0', '--json'], {
      cwd: folder,
      env: { ...process.env, DASHBOARD_API_SESSION_SECRET: sessionSecret },
      // A process group of its own: ending npx alone would leave behind what it started.
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

  it('serves production with `npx dashboard-api serve`', () =>
    whileServing(['serve', '--database', 'b.db'], async (url, mode) => {
      expect(mode).toBe('production')
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
    }))

  it('seeds a database', async () => {
    const { stdout } = await run('npx', ['dashboard-api', 'seed', '--database', 'a.db', '--json'], {
      cwd: folder,
    })
    expect(JSON.parse(stdout)).toMatchObject({ created: { projects: 6 } })
  })

  it('installs nothing that is bundled into it, and brings the licences of that', async () => {
    const bundled = [
      'fastify',
      'commander',
      'ink',
      'react',
      '@mswjs/data',
      'openid-client',
      '@faker-js/faker',
    ]
    const licenses = await readFile(
      join(folder, 'node_modules/dashboard-api/dist/executable/LICENSES.txt'),
      'utf8',
    )
    for (const name of bundled) {
      expect(licenses).toMatch(new RegExp(`^${name}@[\\d.]+ \\(MIT\\)\n\n.*\\bMIT\\b`, 'ms'))
      expect(existsSync(join(folder, 'node_modules', name))).toBe(false)
    }
  })

  it('says which entry point is for where', async () => {
    const script = "import('dashboard-api/browser').catch((error) => console.log(error.message))"
    const { stdout } = await run('node', ['-e', script], { cwd: folder })
    expect(stdout).toContain('import dashboard-api/node')
  })
})

/** Whether a problem is one of a way of resolving that the package offers. */
function concerns(problem: unknown, offered: string[]): boolean {
  if (typeof problem !== 'object' || problem === null) return true
  const { kind, resolutionKind, resolutionOption } = problem as Record<string, string | undefined>
  if (kind === 'CJSResolvesToESM') return false
  return offered.includes(resolutionKind ?? '') || (!resolutionKind && resolutionOption !== 'node10')
}
