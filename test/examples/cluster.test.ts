import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { createForm, profile, projectRow, projectRows } from '../browser/dashboard-page.js'
import { browserOfFile } from '../browser/visit.js'
import { watch } from '../browser/watch.js'
import { cleanEnv } from '../cli/cli-process.js'

// `npm run cluster` as a reader runs it, without installing and building first.

const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
const [program = '', ...args] = scripts.cluster.split('&& ').at(-1).split(' ')
const browser = browserOfFile()

/** Starts the command in a new process group, as a terminal does, with an empty folder for temporary files. */
async function startCommand(port = 0) {
  const folder = await mkdtemp(join(tmpdir(), 'cluster-'))
  // PostgreSQL runs as another user if the test runs as root.
  await chmod(folder, 0o755)
  const env = { ...cleanEnv(), TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: '1' }
  const child = spawn(join('node_modules/.bin', program), [...args, '--port', String(port)], {
    env,
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = once(child, 'close')
  const { pid = 0 } = child
  const descendants = () => descendantsOf(pid)
  onTestFinished(async () => {
    for (const process of [...descendants(), pid]) end(process)
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  return {
    ended,
    descendants,
    output: () => output,
    /** Sends a signal to every process of the group, as Ctrl-C in a terminal does. */
    interrupt: () => process.kill(-pid, 'SIGINT'),
    files: () => readdir(folder),
    /** Waits for a line. @throws if the command ends first */
    async until(pattern: RegExp): Promise<string[]> {
      const found = expect.poll(() => pattern.exec(output)).not.toBeNull()
      await Promise.race([found, ended])
      const match = pattern.exec(output)
      if (!match) throw new Error(`The cluster ended: ${output}`)
      return match
    },
  }
}

/** The descendants of a process, including those in other groups. */
function descendantsOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const parents = new Map(rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]))
  const isBelow = (one: number): boolean => {
    const parent = parents.get(one)
    return parent !== undefined && (parent === pid || isBelow(parent))
  }
  return [...parents.keys()].filter(isBelow)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

/** Repeatedly reads the projects in the page, until it is stopped. Returns the observed statuses. */
const readInPage = (page: Page) =>
  page.evaluate(async () => {
    const seen: Record<string, number> = {}
    while (!document.body.dataset.stop) {
      const read = () => fetch('/v1/projects').then(({ status }) => status, String)
      for (const status of await Promise.all([read(), read()])) seen[status] = (seen[status] ?? 0) + 1
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return seen
  })

async function create(page: Page, name: string): Promise<void> {
  await createForm(page).getByLabel('Name').fill(name)
  await createForm(page).getByRole('button', { name: 'Create' }).click()
  await projectRow(page, name).waitFor()
}

it('serves the example on three nodes; users do not notice that one is killed', async ({ skip }) => {
  const command = await startCommand()
  const pattern = /^The dashboard +(http\S+)\nThe nodes +node 1: process (\d+), node 2: process (\d+), /m
  const [, url = '', first, second] = await command.until(pattern).catch((error) => {
    const [reason] = /PostgreSQL cannot be started here: .*/.exec(error.message) ?? []
    if (reason) skip(reason)
    throw error
  })
  const context = await browser().newContext({ baseURL: url, locale: 'en-GB' })
  context.setDefaultTimeout(60_000)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const { refusals, problems } = watch(page, false)

  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in to your team' }).click()
  await page.getByRole('button', { name: 'I am ada' }).click()
  await page.waitForURL(`${url}/`)
  await profile(page).getByRole('heading', { name: 'Ada Osei' }).waitFor()
  const before = await projectRows(page).count()

  const reading = readInPage(page)
  await create(page, 'With three nodes')
  for (const [pid, name] of [
    [Number(first), 'Without the first node'],
    [Number(second), 'Without the second node'],
  ] as const) {
    process.kill(pid, 'SIGKILL')
    // A write that the killed node had received would be lost: see the README of the cluster.
    await expect.poll(() => isRunning(pid)).toBe(false)
    await create(page, name)
  }
  await command.until(/^node 1 is back/m)
  await page.evaluate(() => {
    document.body.dataset.stop = 'yes'
  })
  expect(Object.keys(await reading)).toEqual(['200'])

  await page.reload()
  await expect.poll(() => projectRows(page).count()).toBe(before + 3)
  expect(problems).toEqual([])
  expect([...refusals]).toEqual(['401 GET /v1/auth/me'])
  for (const node of ['node 1', 'node 2', 'node 3']) {
    expect(command.output()).toMatch(new RegExp(`^GET /v1/projects 200 ${node}`, 'm'))
  }

  const processes = command.descendants()
  // Three nodes, and PostgreSQL with its child processes.
  expect(processes.length).toBeGreaterThan(6)
  command.interrupt()
  expect(await command.ended).toEqual([0, null])
  expect(processes.filter(isRunning)).toEqual([])
  expect(await command.files()).toEqual([])
})

it('leaves nothing behind if Ctrl-C ends it during its start', async () => {
  const command = await startCommand()
  await command.until(/^Starting/m)
  command.interrupt()
  expect(await command.ended).toEqual([0, null])
  expect(command.descendants()).toEqual([])
  expect(await command.files()).toEqual([])
})

it('ends with a hint if its port is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const command = await startCommand((server.address() as AddressInfo).port)
  expect(await command.ended).toEqual([1, null])
  expect(command.output()).toContain('npm run cluster -- --port 0 picks a free one.')
  expect(await command.files()).toEqual([])
})
