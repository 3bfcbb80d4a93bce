import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
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
  /** The state after only the package was installed. */
  let lockFile: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-api-packed-'))
    const clone = join(folder, 'clone')
    await copyProject(clone)
    // The clone has no dist: `npm pack` builds.
    await run('npm', ['pack', '--pack-destination', folder], { cwd: clone })
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    tarball = join(folder, `dashboard-api-${version}.tgz`)
    await rm(clone, { recursive: true })
    const install = (name: string) =>
      run('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', name], {
        cwd: folder,
      })
    installMessages = (await install(tarball)).stderr
    lockFile = await readFile(join(folder, 'package-lock.json'), 'utf8')
    await install('msw@2')
    await cp('test/package/consumer', join(folder, 'consumer'), { recursive: true })
    await symlink(join(process.cwd(), 'node_modules/vite'), installed('vite'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const npx = (...args: string[]) => run('npx', ['dashboard-api', ...args], { cwd: folder })
  const installed = (name: string) => join(folder, 'node_modules', name)

  it('has entry points whose types and files agree', async () => {
    const pkg = JSON.parse(await readFile('package.json', 'utf8'))
    const packed = new Uint8Array(await readFile(tarball))
    const { messages } = await publint({ level: 'warning', pack: { tarball: packed.buffer } })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])

    const checked = await checkPackage(createPackageFromTarballData(packed))
    // The package is ESM only: it supports neither `require` nor resolution without `exports`.
    const supported = ['node16-esm', 'bundler']
    const problems = checked.types ? checked.problems : ['no types']
    expect(problems.filter((problem) => concerns(problem, supported))).toEqual([])
  })

  it('has at most 600 files, in 2 MB', async () => {
    const { stdout } = await run('tar', ['-tzf', tarball])
    expect(stdout.trim().split('\n').length).toBeLessThanOrEqual(600)
    expect((await readFile(tarball)).length).toBeLessThanOrEqual(2_000_000)
  })

  // The table of docs/operations.md, without what later versions of dependencies may add.
  it('installs at most 70 packages', () => {
    expect(Object.keys(JSON.parse(lockFile).packages).length - 1).toBeLessThanOrEqual(70)
  })

  it('needs no newer Node than the declared one, no compiler and no test runner', () => {
    expect(installMessages).not.toContain('EBADENGINE')
    for (const name of ['sqlite3', 'pg', '@playwright/test', '@msw/playwright']) {
      expect(existsSync(installed(name)), name).toBe(false)
    }
  })

  it('has the build, the licence, the changelog, the schema and the documents', async () => {
    const { stdout } = await run('git', ['ls-files', 'docs/*.md', 'fixtures', 'deploy'])
    const files = [
      'LICENSE',
      'CHANGELOG.md',
      'README.md',
      'state.schema.json',
      'jest-preset.json',
      'dist/entries/control.js',
    ]
    for (const file of [...files, ...stdout.trim().split('\n')]) {
      expect(existsSync(join(installed('dashboard-api'), file)), file).toBe(true)
    }
  })

  it('has pages whose links lead to files in the package or in its repository', async () => {
    const root = installed('dashboard-api')
    const pages = (await readdir(root, { recursive: true })).filter((name) =>
      /^[^/]*\.md$|^docs.*\.md$/.test(name),
    )
    expect(pages.length).toBeGreaterThan(10)
    const missing = new Set<string>()
    for (const page of pages) {
      const text = await readFile(join(root, page), 'utf8')
      for (const [, link = ''] of text.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)) {
        const target = join(dirname(page), link)
        if (!existsSync(join(root, target))) missing.add(target)
      }
    }
    expect([...missing].filter((file) => !/^(bench|examples)\//.test(file))).toEqual([])
  })

  it('runs no script when it is installed, and neither do its dependencies', async () => {
    const { scripts } = JSON.parse(await readFile(join(installed('dashboard-api'), 'package.json'), 'utf8'))
    // `prepare` runs only in a clone.
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([])
    const { packages } = JSON.parse(lockFile)
    expect(Object.keys(packages).filter((path) => packages[path].hasInstallScript)).toEqual([])
    expect(packages['node_modules/fastify'].version).toMatch(/^5/)
  })

  const nodeTypes = { types: ['node'], typeRoots: [join(process.cwd(), 'node_modules/@types')] }
  const dom = { lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'] }

  /** Compiles the files of the consumer. @returns the errors of the compiler */
  async function compile(files: string[], options: object): Promise<string[]> {
    const compilerOptions = { target: 'ES2022', strict: true, noEmit: true, skipLibCheck: true, ...options }
    const config = join(folder, 'consumer/tsconfig.json')
    await writeFile(config, JSON.stringify({ compilerOptions, files }))
    const { stdout } = await run('node_modules/.bin/tsc', ['-p', config]).catch((error) => error)
    return stdout.split('\n').filter(Boolean)
  }

  describe('compiles in a project', () => {
    it.each([
      ['bundler', { module: 'esnext', moduleResolution: 'bundler' }, ['entries.ts', 'json-files.ts']],
      ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }, ['entries.ts', 'json-files.ts']],
    ])('with moduleResolution %s', async (_, options, files) => {
      await writeFile(join(folder, 'consumer/package.json'), '{ "type": "module" }')
      expect(await compile(files, { ...options, ...nodeTypes, ...dom, resolveJsonModule: true })).toEqual([])
    })

    it.each(['bundler', 'nodenext'])('without the DOM library, with moduleResolution %s', async (name) => {
      const options = { module: name === 'bundler' ? 'esnext' : name, moduleResolution: name }
      expect(await compile(['client-only.ts'], { ...options, lib: ['ES2022'], types: [] })).toEqual([])
    })

    it.each([
      ['bundler', 'mts', { module: 'esnext', moduleResolution: 'bundler' }],
      ['node16', 'mts', { module: 'node16' }],
      ['nodenext', 'mts', { module: 'nodenext' }],
      ['bundler', 'cts', { module: 'esnext', moduleResolution: 'bundler' }],
      ['node16', 'cts', { module: 'node16' }],
      ['nodenext', 'cts', { module: 'nodenext' }],
    ])(
      'with handlers of MSW and the plugin of Vite, with %s in .%s',
      async (resolution, extension, options) => {
        const requires = resolution !== 'node16' || extension === 'mts'
        const source = join(folder, 'consumer', requires ? 'own-handlers' : 'required-handlers')
        await cp(`${source}.ts`, `${source}.${extension}`)
        expect(await compile([`${source}.${extension}`], { ...options, ...nodeTypes, ...dom })).toEqual([])
      },
    )

    it('that also checks the declarations of packages', async () => {
      const options = { module: 'nodenext', skipLibCheck: false, ...nodeTypes, ...dom }
      const own = (line: string) => line.includes('dashboard-api/')
      expect((await compile(['entries.ts'], options)).filter(own)).toEqual([])
    })

    it('that checks them without the DOM library, which the client does not need', async () => {
      const options = { module: 'nodenext', skipLibCheck: false, lib: ['ES2022'], types: [] }
      // The declarations of zod need the type URL.
      const others = (line: string) => !/\/zod\/.*'URL'/.test(line)
      expect((await compile(['client-only.ts'], options)).filter(others)).toEqual([])
    })

    it('and does not compile with a mistake', async () => {
      await writeFile(
        join(folder, 'consumer/mistake.ts'),
        "import { createClient } from 'dashboard-api/client'\ncreateClient().projects.create({ nam: 'a' })\n",
      )
      expect(await compile(['mistake.ts'], { module: 'nodenext', ...dom, types: [] })).toEqual([
        expect.stringContaining("'nam' does not exist"),
      ])
    })
  })

  it('shares the Fastify of an application that has an older one', async () => {
    const host = await mkdtemp(join(folder, 'host-'))
    await writeFile(join(host, 'package.json'), '{ "private": true, "type": "module" }')
    await run(
      'npm',
      [
        'install',
        '--ignore-scripts',
        '--prefer-offline',
        '--no-audit',
        '--no-fund',
        'fastify@5.2.0',
        tarball,
      ],
      {
        cwd: host,
      },
    )
    const { packages } = JSON.parse(await readFile(join(host, 'package-lock.json'), 'utf8'))
    const copies = Object.keys(packages).filter((path) => path.endsWith('node_modules/fastify'))
    expect(copies.map((path) => packages[path].version)).toEqual(['5.2.0'])

    await cp('test/package/consumer/fastify-host.ts', join(host, 'host.ts'))
    const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, ...nodeTypes }
    await writeFile(join(host, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['host.ts'] }))
    const { stdout } = await run('node_modules/.bin/tsc', ['-p', host]).catch((error) => error)
    expect(stdout).toBe('')

    const child = spawn('npx', ['dashboard-api', 'dev', '--port', '0', '--json'], {
      cwd: host,
      detached: true,
    })
    const ended = once(child, 'exit')
    try {
      const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
      const { url } = JSON.parse(line)
      const path = `/v1/projects/${'a'.repeat(300)}`
      const headers = { cookie: 'session=acme-owner', 'content-type': 'application/json' }
      const response = await fetch(url + path, { method: 'PATCH', headers, body: '{"name":"Apollo"}' })
      expect(await response.json()).toMatchObject({ code: 'PROJECT_NOT_FOUND' })
    } finally {
      if (child.exitCode === null) process.kill(-(child.pid ?? 0))
      await ended
    }
  })

  it('is published only with a repository, which a registry needs to resolve the links of the README', async () => {
    const script = join(process.cwd(), 'scripts/check-repository.js')
    const own = await mkdtemp(join(folder, 'publish-'))
    await cp('README.md', join(own, 'README.md'))
    const publish = async (fields: object) => {
      await writeFile(join(own, 'package.json'), JSON.stringify(fields))
      return run('node', [script], { cwd: own }).catch((error) => error)
    }
    expect(await publish({})).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm pkg set repository=URL'),
    })
    expect(await publish({ repository: {} })).toMatchObject({ code: 1 })
    expect(await publish({ repository: 'github:someone/project' })).toMatchObject({ stderr: '' })
    expect(await publish({ repository: { type: 'git', url: 'https://git.example/a.git' } })).toMatchObject({
      stderr: '',
    })
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
    expect(scripts.prepublishOnly).toBe('node scripts/check-repository.js')
  })

  it.each([
    ['A SQLite database needs the package sqlite3. Install it with: npm install sqlite3', 'seed', 'a.db'],
    ['A SQLite database needs the package sqlite3. Install it with: npm install sqlite3', 'serve', 'a.db'],
    ['A PostgreSQL database needs the package pg. Install it with: npm install pg', 'serve', 'postgres://db'],
  ])('prints in one line: %s (%s)', async (message, command, database) => {
    const failure = await run(installed('.bin/dashboard-api'), [command, '--database', database], {
      cwd: folder,
      env: { ...process.env, DASHBOARD_API_SESSION_SECRET: sessionSecret },
    }).catch((error) => error)
    expect(failure.stderr).toBe(`error: ${message}\n`)
    expect(failure.code).toBe(2)
    expect(existsSync(join(folder, database))).toBe(false)
  })

  /** Runs a server of the package while `check` runs. */
  async function whileServing(args: string[], check: (url: string, mode: string) => Promise<void>) {
    const child = spawn('npx', ['dashboard-api', ...args, '--port', '0', '--json'], {
      cwd: folder,
      env: { ...process.env, DASHBOARD_API_SESSION_SECRET: sessionSecret },
      // A separate process group: ending only npx would leave the server running.
      detached: true,
    })
    const ended = once(child, 'exit')
    try {
      const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
      const { url, mode } = JSON.parse(line)
      await check(url, mode)
    } finally {
      if (child.exitCode === null) process.kill(-(child.pid ?? 0))
      await ended
    }
  }

  it('serves the mock with `npx dashboard-api dev`', () =>
    whileServing(['dev'], async (url, mode) => {
      expect(mode).toBe('mock')
      const response = await fetch(`${url}/v1/projects`, { headers: { cookie: 'session=acme-owner' } })
      expect(((await response.json()) as { projects: unknown[] }).projects).toHaveLength(4)
    }))

  it('names the entry point to import in Node', async () => {
    const script = "import('dashboard-api/browser').catch((error) => console.log(error.message))"
    const { stdout } = await run('node', ['-e', script], { cwd: folder })
    expect(stdout).toContain('import dashboard-api/node')
  })

  it('shows no panel in Node', async () => {
    const script = "import('dashboard-api/panel').then(({ mockPanel }) => console.log(mockPanel({})()))"
    const { stdout, stderr } = await run('node', ['-e', script], { cwd: folder })
    expect({ stdout, stderr }).toEqual({ stdout: 'undefined\n', stderr: '' })
  })

  describe('with Playwright', () => {
    // The state after `npm install`.
    beforeAll(async () => {
      for (const name of ['@playwright/test', '@msw/playwright']) {
        await cp(`node_modules/${name}`, installed(name), { recursive: true })
      }
      for (const name of ['playwright', 'playwright-core', 'outvariant', '@mswjs/interceptors']) {
        if (!existsSync(installed(name)))
          await symlink(join(process.cwd(), 'node_modules', name), installed(name))
      }
    })

    it.each(['bundler', 'nodenext'])('compiles with moduleResolution %s', async (name) => {
      const options = { module: name === 'bundler' ? 'esnext' : name, moduleResolution: name }
      expect(await compile(['playwright-tests.ts'], { ...options, ...nodeTypes, ...dom })).toEqual([])
    })

    it('exports a test, as an ES module and to a CommonJS project', async () => {
      const print = 'console.log(typeof test.extend)'
      const asModule = [
        '--input-type=module',
        '-e',
        `import { test } from 'dashboard-api/playwright'; ${print}`,
      ]
      const asCommonJs = ['-e', `const { test } = require('dashboard-api/playwright'); ${print}`]
      for (const args of [asModule, asCommonJs]) {
        expect((await run('node', args, { cwd: folder })).stdout).toBe('function\n')
      }
    })
  })

  describe('with sqlite3', () => {
    // The state after `npm install sqlite3`. This checkout has compiled the driver already.
    beforeAll(async () => {
      for (const name of ['sqlite3', 'bindings', 'file-uri-to-path']) {
        await cp(`node_modules/${name}`, installed(name), { recursive: true })
      }
    })

    it('serves production with `npx dashboard-api serve`', () =>
      whileServing(['serve', '--database', 'b.db'], async (url, mode) => {
        expect(mode).toBe('production')
        await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
      }))

    it('seeds a database', async () => {
      const { stdout } = await npx('seed', '--database', 'a.db', '--json')
      expect(JSON.parse(stdout)).toMatchObject({ created: { projects: 6 } })
    })

    it('explains how to build a driver without a binary', async () => {
      await rm(join(installed('sqlite3'), 'build'), { recursive: true })
      const failure = await npx('seed', '--database', 'c.db').catch((error) => error)
      expect(failure.stderr).toContain('npm rebuild sqlite3\n')
      expect(failure.stderr).not.toContain('    at ')
      expect(failure.code).toBe(2)
    })
  })
})

/** Copies the files that git tracks, or would track, and links the installed dependencies. */
async function copyProject(target: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  const files = stdout.split('\0').filter((file) => file && existsSync(file))
  for (const file of files) {
    await mkdir(dirname(join(target, file)), { recursive: true })
    await cp(file, join(target, file))
  }
  await symlink(join(process.cwd(), 'node_modules'), join(target, 'node_modules'))
}

/** Whether a problem concerns a way of resolving that the package supports. */
function concerns(problem: unknown, supported: string[]): boolean {
  if (typeof problem !== 'object' || problem === null) return true
  const { kind, resolutionKind, resolutionOption } = problem as Record<string, string | undefined>
  if (kind === 'CJSResolvesToESM') return false
  return supported.includes(resolutionKind ?? '') || (!resolutionKind && resolutionOption !== 'node10')
}
