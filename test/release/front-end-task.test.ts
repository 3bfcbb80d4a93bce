import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { browserOfFile } from '../browser/visit.js'
import { cleanEnv, startProcess } from '../cli/cli-process.js'
import { findBrowser } from '../programs/find-browser.js'

// Runs the front-end task of docs/mcp.md: its files and its calls, in an application that has the packed package.

const page = await readFile('docs/mcp.md', 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}))
/** The calls of each block, in their order. */
const calls = blocks.filter(({ language }) => language === 'mcp').map(({ text }) => text.trim().split('\n'))
/** The files of the task by their paths, which are in the first line of each. */
const files = blocks.flatMap(({ text }) => {
  const [, path, content] = /^\/\/ (\S+\.tsx?)\n(.*)$/s.exec(text) ?? []
  return path === undefined || content === undefined ? [] : [{ path, content }]
})

/** Makes an empty application of Vite with the packages of this repository, and the packed one. */
async function createApplication(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, 'dashboard-api'), { recursive: true })
  for (const name of await readdir('node_modules')) {
    if (!name.startsWith('.')) await symlink(resolve('node_modules', name), join(modules, name))
  }
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder])
  const tarball = join(folder, String(packed).trim())
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'dashboard-api')])
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const script = '<div id="root"></div><script type="module" src="/src/main.tsx"></script>'
  await writeFile(join(folder, 'index.html'), `<!doctype html>${script}`)
}

describe('the front-end task of docs/mcp.md', () => {
  const browser = browserOfFile()
  let folder: string
  let url: string
  let client: Client
  const ends: (() => unknown)[] = []
  /** Runs a program of the application. */
  const run = async (script: string, ...args: string[]) => {
    const { env } = await findBrowser()
    const options = { cwd: folder, env: { ...env, VITEST: '' } }
    return startProcess(process.execPath, [join('node_modules', script), ...args], options).ended
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'front-end-task-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    await createApplication(folder)
    const port = String(await freePort())
    url = `http://localhost:${port}`
    const { path } = await findBrowser()
    for (const file of files) {
      // A free port, and the browser of the tests.
      const content = file.content
        .replaceAll('5173', port)
        .replace('use: {', `use: { launchOptions: { executablePath: ${JSON.stringify(path)} },`)
      await mkdir(join(folder, dirname(file.path)), { recursive: true })
      await writeFile(join(folder, file.path), content)
    }
    const script = join('node_modules', 'vite/bin/vite.js')
    const vite = spawn(process.execPath, [script, '--port', port, '--strictPort'], {
      cwd: folder,
      env: cleanEnv(),
      stdio: 'ignore',
    })
    ends.push(() => vite.kill())
    await vi.waitFor(async () => expect((await fetch(url)).ok).toBe(true), { timeout: 60_000, interval: 200 })
    client = new Client({ name: 'test', version: '1' })
    const program = join(folder, 'node_modules/dashboard-api/bin/dashboard-api.js')
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [program, 'mcp', '--url', url],
        cwd: folder,
      }),
    )
    ends.push(() => client.close())
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  /** Calls the tools of a block. @returns the text of each answer */
  async function play(block: string[] = []): Promise<string[]> {
    const texts: string[] = []
    for (const line of block) {
      const [, name = '', args = ''] = /^(\w+) ?(.*)$/.exec(line) ?? []
      const { content, isError } = await client.callTool({ name, arguments: args ? JSON.parse(args) : {} })
      const [first] = content as { text: string }[]
      expect(isError, `${line}: ${first?.text}`).toBeFalsy()
      texts.push(first?.text ?? '')
    }
    return texts
  }

  test('its calls show each state in a page under StrictMode, with times: 1', async () => {
    const [list, afterList, form, afterForm] = calls
    expect(calls).toHaveLength(4)
    const context = await browser().newContext({ baseURL: url })
    const opened = await context.newPage()
    await opened.goto('/')
    await opened.getByText('Mobile app').waitFor()
    const [overview] = await play(list)
    expect(overview).toContain(url)
    await opened.reload()
    await opened.getByText('The list cannot be shown.').waitFor()
    await opened.getByRole('button', { name: 'Try again' }).click()
    await opened.getByText('Mobile app').waitFor()
    const log = (await play(afterList)).at(-1) ?? ''
    const taken = JSON.parse(log).requests.filter(({ aborted }: { aborted?: boolean }) => !aborted)
    expect(taken.slice(-2)).toMatchObject([{ status: 503 }, { status: 200 }])
    await play(form)
    await opened.getByLabel('Name').fill('Apollo')
    await opened.getByRole('button', { name: 'Create' }).click()
    await opened.getByText('This name is taken.').waitFor()
    await play(afterForm)
    const wrong = { target: 'createProject', body: { name: 'Gemini' }, timeout: 0 }
    const { content, isError } = await client.callTool({ name: 'expect_calls', arguments: wrong })
    expect(isError).toBe(true)
    expect((content as { text: string }[])[0]?.text).toContain('name is "Apollo", not "Gemini"')
    await context.close()
  })

  test('its tests pass in Vitest', async () => {
    const { code, stdout, stderr } = await run('vitest/vitest.mjs', 'run', 'src')
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toMatch(/2 passed/)
  })

  test('its tests pass in Playwright', async () => {
    const { code, stdout, stderr } = await run('@playwright/test/cli.js', 'test', '--workers', '1')
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toMatch(/2 passed/)
  })
})
