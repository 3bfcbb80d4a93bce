import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { launchBrowser } from '../browser/launch.js'

const run = promisify(execFile)

type Mode = 'development' | 'production'

/** The bundlers, and what MSW needs beside it: Parcel would install `process`, for MSW's logger, during the build. */
const packages = [
  ...['webpack@5', '@rspack/core@2', '@rsbuild/core@2', 'esbuild', 'parcel@2', 'process', 'vite@8'],
  ...['next@16', 'react@19', 'react-dom@19', 'metro-resolver', 'msw@2'],
]

const parcel = ['parcel/lib/bin.js', 'build', 'src/index.html', '--no-cache', '--dist-dir']
const esbuild = ['esbuild/bin/esbuild', 'src/index.js', '--bundle', '--log-limit=0']

/** The arguments of Node for a build into a folder, with the defaults of each bundler. */
const builds: Record<string, (mode: Mode, out: string) => string[]> = {
  webpack: (mode, out) => ['../pack.mjs', 'webpack', mode, out],
  Rspack: (mode, out) => ['../pack.mjs', 'rspack', mode, out],
  Rsbuild: (mode, out) => ['@rsbuild/core/bin/rsbuild.js', 'build', '--mode', mode, '--dist-path', out],
  // Its development build has no `--minify`, by which it knows the production build.
  esbuild: (mode, out) => [
    ...esbuild,
    `--outfile=${out}/main.js`,
    ...(mode === 'production' ? ['--minify'] : []),
  ],
  Parcel: (_, out) => [...parcel, out],
}

/** Texts of MSW, its worker, the fixtures, the library of the store, the persona switch and the launcher. */
const mockTexts = [
  '[MSW]',
  'mockServiceWorker',
  'vera@acme.example',
  'primaryKey',
  'persona',
  'dashboard-api-panel',
]

/** The projects of the persona, which the page shows as its title. */
const title = /^Data warehouse,Äpfel & Birnen,/

describe('the packed package, with the defaults of', () => {
  let folder: string
  let browser: Browser

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-api-bundlers-'))
    const npm = (cwd: string, ...args: string[]) =>
      run('npm', [...args, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], { cwd })
    await npm('.', 'pack', '--silent', '--pack-destination', folder)
    await cp('test/release/bundlers', folder, { recursive: true })
    const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
    await npm(folder, 'install', `./${tarball}`, ...packages)
    await mkdir(join(folder, 'public'))
    await cp(worker(), join(folder, 'public/mockServiceWorker.js'))
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const worker = () => join(folder, 'node_modules/msw/lib/mockServiceWorker.js')

  const env = (mode?: Mode) => {
    const { NODE_ENV, VITEST, ...others } = process.env
    return { ...others, ...(mode && { NODE_ENV: mode }), NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1' }
  }
  const command = ([script = '', ...args]: string[]) => [join(folder, 'node_modules', script), ...args]

  /** Builds with a script of a package. Fails if it reports an error or a warning. */
  async function build(args: string[], mode?: Mode): Promise<void> {
    const building = run(process.execPath, command(args), { cwd: folder, env: env(mode) })
    onTestFinished(() => void building.child.kill())
    const { stdout, stderr } = await building
    expect(problemsIn(stdout + stderr)).toEqual([])
  }

  /** The texts of the mock that the files of a folder contain. */
  async function textsIn(path: string): Promise<string[]> {
    const entries = await readdir(join(folder, path), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile() && /\.(js|html|css)$/.test(entry.name))
    const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))
    expect(texts.join().length).toBeGreaterThan(1000)
    return mockTexts.filter((text) => texts.some((file) => file.includes(text)))
  }

  /** Opens the page, where the mock lists projects, without a message on the console. */
  async function visit(url: string): Promise<void> {
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const messages: string[] = []
    page.on('pageerror', (error) => messages.push(String(error)))
    page.on('console', (message) => {
      if (/warning|error/.test(message.type()) && !/favicon/.test(message.location().url)) {
        messages.push(message.text())
      }
    })
    // Next.js compiles the page when it is first requested. The time limit of the test ends a hanging one.
    await page.goto(url, { timeout: 0 })
    await expect.poll(() => page.title()).toMatch(title)
    expect(messages).toEqual([])
  }

  it.for(Object.entries(builds))('%s', async ([name, argumentsFor]) => {
    await build(argumentsFor('production', `out/${name}-production`), 'production')
    expect(await textsIn(`out/${name}-production`)).toEqual([])
    await build(argumentsFor('development', `out/${name}`), 'development')
    expect(await textsIn(`out/${name}`)).toEqual(mockTexts)
    await visit(await serve(join(folder, 'out', name), worker()))
  })

  it('Vite', async () => {
    await build(['vite/bin/vite.js', 'build', '--outDir', 'out/Vite'])
    // The script of the worker is among the static files.
    await rm(join(folder, 'out/Vite/mockServiceWorker.js'))
    expect(await textsIn('out/Vite')).toEqual([])
    await visit(await start('vite/bin/vite.js', '--port', '0'))
  })

  it.each(['--turbopack', '--webpack'])(
    'Next.js %s',
    async (bundler) => {
      await rm(join(folder, '.next'), { recursive: true, force: true })
      await build(['next/dist/bin/next', 'build', bundler])
      expect(await textsIn('.next/static')).toEqual([])
      await visit(await start('next/dist/bin/next', 'dev', bundler, '--port', '0'))
    },
    900_000,
  )

  it.each(['web', 'ios', 'android'])("Metro's resolution for %s", (platform) => {
    const { resolve } = createRequire(join(folder, 'package.json'))('metro-resolver')
    const resolved = (name: string) =>
      resolve(metroContext(folder, platform), name, platform).filePath.split('/node_modules/').at(-1)
    for (const name of ['browser', 'control', 'msw', 'panel']) {
      expect(resolved(`dashboard-api/${name}`)).toBe(`dashboard-api/dist/entries/${name}.js`)
    }
    for (const [name, file] of [
      ['client', 'client/client.js'],
      ['contract', 'contract/index.js'],
    ]) {
      expect(resolved(`dashboard-api/${name}`)).toBe(`dashboard-api/dist/interface/${file}`)
    }
  })

  /** Starts a server of a tool. Fails if it reports an error or a warning. @returns its URL */
  async function start(...args: string[]): Promise<string> {
    const child = spawn(process.execPath, command(args), { cwd: folder, env: env() })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        text += stripVTControlCharacters(String(data))
      })
    }
    onTestFinished(async () => {
      const ended = once(child, 'exit')
      child.kill()
      await ended
      expect(problemsIn(text)).toEqual([])
    })
    await expect.poll(() => text).toMatch(/http:\/\/localhost:\d+/)
    return /http:\/\/localhost:\d+/.exec(text)?.[0] ?? ''
  }
})

/** The lines of a tool that report an error or a warning. Names of files may contain the words. */
const problemsIn = (text: string): string[] =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => /\bwarn|\berrors?\b(?![-_])|failed/i.test(line))

/** Serves a build and the script of the worker. @returns the URL */
async function serve(build: string, worker: string): Promise<string> {
  const page = join(build, 'index.html')
  const html = existsSync(page)
    ? readFileSync(page)
    : '<!doctype html><meta charset="utf-8"><script src="/main.js"></script>'
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    const file = pathname === '/mockServiceWorker.js' ? worker : join(build, pathname)
    if (pathname === '/') return response.setHeader('content-type', 'text/html').end(html)
    if (!existsSync(file)) return response.writeHead(404).end()
    return response.setHeader('content-type', 'text/javascript').end(readFileSync(file))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://localhost:${typeof address === 'object' ? address?.port : ''}`
}

/** What Metro gives to its resolver for an import, with its defaults and those of React Native. */
const metroContext = (folder: string, platform: string) => ({
  allowHaste: false,
  assetExts: new Set(['png']),
  customResolverOptions: {},
  dev: true,
  disableHierarchicalLookup: false,
  extraNodeModules: {},
  fileSystemLookup: (path: string) =>
    existsSync(path)
      ? { exists: true, type: statSync(path).isDirectory() ? 'd' : 'f', realPath: realpathSync(path) }
      : { exists: false },
  doesFileExist: existsSync,
  getPackage: (path: string) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null),
  getPackageForModule(path: string) {
    const [, rootPath = '', packageRelativePath = ''] = /^(.*node_modules\/[^/]+)\/?(.*)$/.exec(path) ?? []
    const file = join(rootPath, 'package.json')
    if (rootPath === '' || !existsSync(file)) return null
    return { packageJson: JSON.parse(readFileSync(file, 'utf8')), rootPath, packageRelativePath }
  },
  isESMImport: true,
  mainFields: ['react-native', 'browser', 'main'],
  nodeModulesPaths: [],
  originModulePath: join(folder, 'src/index.js'),
  preferNativePlatform: platform !== 'web',
  redirectModulePath: (path: string) => path,
  resolveAsset: () => undefined,
  resolveHasteModule: () => undefined,
  resolveHastePackage: () => undefined,
  sourceExts: ['js', 'jsx', 'json', 'ts', 'tsx'],
  unstable_conditionNames: ['react-native'],
  unstable_conditionsByPlatform: { web: ['browser'] },
  unstable_enablePackageExports: true,
  unstable_incrementalResolution: false,
  unstable_logWarning: (message: string) => expect.unreachable(message),
})
