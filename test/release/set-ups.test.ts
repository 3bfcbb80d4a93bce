import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { launchBrowser } from '../browser/launch.js'
import { recipes } from '../mock/msw-recipes.js'

const run = promisify(execFile)
const npm = (folder: string, ...args: string[]) =>
  run('npm', [...args, '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder })

/** The other packages of the set-ups in docs/mock-set-ups.md. */
const tools = [
  ...['vitest@4', 'vite@8', 'jsdom@27', 'happy-dom@20'],
  ...['svelte@5', '@sveltejs/vite-plugin-svelte', '@testing-library/svelte@5'],
  ...['solid-js@1', 'vite-plugin-solid@2', 'vue@3', '@vitejs/plugin-vue@6'],
]

/** The recipes take `graphql` from this module. MSW 3 has it elsewhere, with the optional package `graphql`. */
const wordsOfMsw3 = "import { graphql as all } from 'msw/graphql'\nexport const graphql = all.link('*')\n"

/** MSW 3 needs a newer Node than the one that runs the tests. */
const [major = 0] = process.versions.node.split('.').map(Number)
const nodeOfMsw3 = `node-${process.platform}-${process.arch}@24`

describe('the set-ups of docs/mock-set-ups.md, from the packed package', () => {
  let folder: string
  let browser: Browser
  let tarball: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-api-set-ups-'))
    await npm('.', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder)
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    tarball = join(folder, `dashboard-api-${version}.tgz`)
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    await npm(folder, 'install', '--ignore-scripts', '--legacy-peer-deps', ...tools)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  describe.each([2, 3])('on MSW %i', (msw) => {
    let project: string
    let node = process.execPath

    beforeAll(async () => {
      project = join(folder, `msw-${msw}`)
      await mkdir(project)
      await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
      await cp('test/release/set-ups', project, { recursive: true })
      // npm refuses a version outside the range of the peer dependency.
      await npm(project, 'install', '--ignore-scripts', tarball, `msw@${msw}`, 'graphql@16')
      for (const place of [project, join(project, 'page')]) {
        await cp('test/mock/msw-recipes.js', join(place, 'msw-recipes.js'))
        await cp('test/mock/msw-words.js', join(place, 'msw-words.js'))
        if (msw === 3) await writeFile(join(place, 'msw-words.js'), wordsOfMsw3)
      }
      if (msw === 3 && major < 24) {
        await npm(project, 'install', '--no-save', nodeOfMsw3)
        node = join(project, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
      }
      // The project uses the tools of the parent folder.
      const { version } = JSON.parse(await readFile(join(project, 'node_modules/msw/package.json'), 'utf8'))
      expect(version).toMatch(new RegExp(`^${msw}\\.`))
    })

    const env = () => ({
      ...process.env,
      PATH: dirname(node) + delimiter + process.env.PATH,
      NO_COLOR: '1',
      FORCE_COLOR: '',
      NODE_ENV: '',
      VITEST: '',
    })
    const start = (...args: string[]) => run(node, args, { cwd: project, env: env() })

    it('in Node', async () => {
      const { stdout } = await start('--test', 'node.mjs').catch((error) => error)
      expect(stdout).toMatch(/pass 4\b/)
      expect(stdout).toMatch(/fail 0\b/)
    })

    it('in a Node that is too old for it, with a message', async ({ skip }) => {
      skip(msw === 2 || node === process.execPath, 'This Node runs the installed MSW')
      const code = "import { createMockServer } from 'dashboard-api/node'; createMockServer()"
      const starting = run(process.execPath, ['--input-type=module', '-e', code], {
        cwd: project,
        env: env(),
      })
      await expect(starting).rejects.toThrow(
        `The installed msw is version 3, which needs Node 22.12 or later. This is Node ${process.versions.node}:`,
      )
    })

    it('in Vitest: Node, jsdom, happy-dom, with the plugins of Svelte, Solid and Vue', async () => {
      const result = await start(join(folder, 'node_modules/vitest/vitest.mjs'), 'run').catch(
        (error) => error,
      )
      const text = result.stdout + result.stderr
      expect(text).toMatch(new RegExp(`Tests +${msw === 2 ? 14 : 10} passed`))
      expect(text).not.toMatch(/failed|source map/)
    })

    it('with the recipes of MSW: in Node, in dev and in the plugin', async () => {
      const { stdout } = await start('--test', 'recipes.mjs').catch((error) => error)
      expect(stdout).toMatch(/fail 0\b/)
    })

    it('with the recipes of MSW: in a page', async () => {
      const page = await openPage('recipes')
      const expected = Object.entries(recipes).filter(([, { notByMsw }]) => !notByMsw)
      const played = () => page.evaluate(() => Reflect.get(globalThis, 'played'))
      await expect
        .poll(played)
        .toEqual(Object.fromEntries(expected.map(([name, { result }]) => [name, result])))
    })

    it.each([
      ['in a page', 'page'],
      ['in Vite', 'vite'],
    ])('%s', async (_, mode) => {
      const page = await openPage(mode)
      await expect.poll(() => page.title()).toBe('ada@acme.example')
      const create = () =>
        page.evaluate(async () => {
          const init = {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{"name":"New"}',
          }
          return (await fetch('/v1/projects', init)).status
        })
      expect([await create(), await create()]).toEqual([201, 409])
    })

    /** Starts Vite in a mode, and opens its page. */
    async function openPage(mode: string): Promise<Page> {
      const vite = join(folder, 'node_modules/vite/bin/vite.js')
      const child = spawn(node, [vite, 'page', '--mode', mode, '--port', '0'], { cwd: project, env: env() })
      onTestFinished(async () => {
        child.kill()
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      })
      let text = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (data) => {
          text += stripVTControlCharacters(String(data))
        })
      }
      await expect.poll(() => text).toMatch(/http:\/\/localhost:\d+/)
      const context = await browser.newContext()
      onTestFinished(() => context.close())
      const page = await context.newPage()
      await page.goto(/http:\/\/localhost:\d+/.exec(text)?.[0] ?? '')
      return page
    }
  })
})
