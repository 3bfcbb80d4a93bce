import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bin, emptyFolder, listening, start } from '../cli-process.js'
import { hasPty, keys, type OnTerminal, onTerminal, programOnTerminal } from './on-terminal.js'

const address = /mock at (http:\/\/127\.0\.0\.1:\d+)$/m

/** `dev` on a terminal, its address, and a request to it as session=active. */
async function dev(options: Parameters<typeof onTerminal>[1] = {}, ...args: string[]) {
  const cwd = options.cwd ?? emptyFolder()
  const view = onTerminal(['dev', '--port', '0', ...args], { ...options, cwd })
  const [, url = ''] = await view.until(address)
  await view.until(/q quit/)
  return { view, url, cwd, ask: asking(url) }
}

const asking =
  (url: string) =>
  (init: RequestInit = {}) =>
    fetch(`${url}/v1/projects`, {
      ...init,
      headers: { cookie: 'session=active', 'content-type': 'application/json' },
    })

const post = { method: 'POST', body: '{"name":"New"}' }

/** Types each key once the answer to the one before is seen. */
async function press({ view }: { view: OnTerminal }, ...steps: [key: string, shows: RegExp][]) {
  for (const [key, shows] of steps) {
    view.type(key)
    await view.until(shows)
  }
}

describe.skipIf(!hasPty)('dev on a terminal (needs python3, whose pty module makes one)', () => {
  test('shows where it is, who is active, and each request as it comes', async () => {
    const { view, ask } = await dev()
    await view.until(/^Persona {2}acme-owner ada@acme\.example · owner · org_acme$/m)
    await view.until(/^Forced {3}nothing$/m)
    await ask()
    await view.until(/^\d\d:\d\d:\d\d {2}GET \/v1\/projects +200 +acme-owner/m)
  })

  test('forces an outcome, once, which ends before the eyes of the reader', async () => {
    const mock = await dev()
    await press(
      mock,
      ['f', /What shall be forced\?/],
      ['create', /forced\? {2}create$/m],
      [keys.enter, /What shall createProject answer, until it is ended\?/],
      [keys.tab, /What shall createProject answer, once\?/],
      ['taken', /answer, once\? {2}taken$/m],
      [keys.enter, /^Forced {3}createProject PROJECT_NAME_TAKEN, once$/m],
    )
    expect((await mock.ask(post)).status).toBe(409)
    await mock.view.until(/^Forced {3}nothing$/m)
    await mock.view.until(/POST \/v1\/projects +409 PROJECT_NAME_TAKEN/)
  })

  test('switches the persona, with arrow keys and by filter', async () => {
    const mock = await dev()
    await press(
      mock,
      ['p', /Who shall session=active be\?/],
      [keys.down, /Who/],
      [keys.down, /Who/],
      [keys.enter, /^Persona {2}acme-viewer/m],
    )
    expect((await mock.ask(post)).status).toBe(403)
    await press(
      mock,
      ['p', /Who shall/],
      ['glob', /be\? {2}glob$/m],
      [keys.enter, /^Persona {2}globex-owner/m],
    )
    expect((await mock.ask(post)).status).toBe(201)
  })

  test('sets a delay, and says why one is refused', async () => {
    const mock = await dev()
    await press(
      mock,
      ['d', /What shall wait\?/],
      [keys.enter, /How many milliseconds shall every operation wait\?/],
      ['soon', /› soon/],
      [keys.enter, /"soon" is no delay/],
      [keys.erase.repeat(4), /› *$/m],
      ['20-30', /› 20-30/],
      [keys.enter, /^Delay {4}20-30 ms/m],
    )
    const before = performance.now()
    await mock.ask()
    expect(performance.now() - before).toBeGreaterThanOrEqual(19)
  })

  test('saves a snapshot, loads it, and resets', async () => {
    const mock = await dev()
    const projects = async () =>
      ((await (await mock.ask()).json()) as { projects: unknown[] }).projects.length
    const count = await projects()
    await mock.ask(post)
    await press(
      mock,
      ['s', /Under which name/],
      ['more', /› more/],
      [keys.enter, /Saved the state as more\./],
    )
    expect(existsSync(`${mock.cwd}/.dashboard-api/snapshots/more.json`)).toBe(true)
    await press(mock, ['r', /Return to how the mock began\?/], [keys.enter, /The mock is as it began/])
    expect(await projects()).toBe(count)
    await press(mock, ['l', /Which snapshot[\s\S]*more/], [keys.enter, /The state is that of more\./])
    expect(await projects()).toBe(count + 1)
  })

  test('shows the details of a request, with its curl line', async () => {
    const mock = await dev()
    await mock.ask(post)
    await mock.view.until(/POST \/v1\/projects/)
    await press(mock, [keys.enter, /^Decided by {2}handler$/m])
    await mock.view.until(/^curl -i -X POST http/m)
    await press(mock, [keys.escape, /^Time +Request/m])
  })

  test('opens the page in the browser, and says so where there is none', async () => {
    const path = emptyFolder()
    const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
    const browser = (exit: number) => {
      writeFileSync(`${path}/${opener}`, `#!/bin/sh\necho "$1" > "${path}/opened"\nexit ${exit}\n`)
      chmodSync(`${path}/${opener}`, 0o755)
    }
    browser(0)
    const mock = await dev({ env: { PATH: `${path}:${process.env.PATH}` } })
    await press(mock, ['o', /The page is open in the browser\./])
    expect(readFileSync(`${path}/opened`, 'utf8')).toBe(`${mock.url}\n`)
    browser(1)
    await press(mock, ['o', /No browser could be opened; open http/])
  })

  test('says what is wrong with a fixture file that was saved, until it is mended', async () => {
    const cwd = emptyFolder()
    const state = (...projects: unknown[]) => JSON.stringify({ version: 1, projects })
    writeFileSync(`${cwd}/state.json`, state())
    const { view } = await dev({ cwd }, '--fixtures', 'state.json')
    writeFileSync(`${cwd}/state.json`, state({}))
    await view.until(/^state\.json is wrong, the last good state stays: projects\[0\]/m)
    writeFileSync(`${cwd}/state.json`, state())
    await view.until(/^The fixtures were reloaded\./m)
    expect(view.terminal.text()).not.toContain('is wrong')
  })

  test('fits the terminal whatever its size becomes', async () => {
    const { view, ask } = await dev({ rows: 40, columns: 120 })
    for (let i = 0; i < 45; i++) await ask()
    await view.until(/Decided by/)
    for (const [rows, columns] of [
      [20, 60],
      [30, 100],
      [12, 40],
      [24, 80],
    ] as const) {
      view.resize(rows, columns)
      await view.until(new RegExp(`^─{${columns}}$[\\s\\S]*^─{${columns}}$[\\s\\S]*q quit`, 'm'))
      const lines = view.terminal.lines()
      expect(lines).toHaveLength(rows)
      expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(columns)
    }
  })

  test('is cleared once, and drawn far less often than requests come', async () => {
    const { view, ask } = await dev()
    const before = view.terminal.written().length
    const requests = 200
    await Promise.all(Array.from({ length: requests }, () => ask()))
    await ask(post)
    await view.until(/POST/)
    const drawn = view.terminal.written().slice(before)
    expect(drawn).not.toContain('\x1b[2J')
    expect(drawn.split('\x1b[?2026h').length).toBeLessThan(requests / 2)
  })

  test.each([
    ['q', ''],
    ['Ctrl+C', keys.interrupt],
    ['SIGTERM', 'SIGTERM'],
    ['SIGHUP', 'SIGHUP'],
    ['a crash', 'SIGUSR2'],
  ])('gives the terminal back as it was after %s', async (name, how) => {
    const cwd = emptyFolder()
    mkdirSync(`${cwd}/at`)
    writeFileSync(
      `${cwd}/hook.mjs`,
      `import { writeFileSync } from 'node:fs'
       writeFileSync('at/pid', String(process.pid))
       process.on('SIGUSR2', () => { process.stderr.write('held\\n'); throw new Error('a bug') })`,
    )
    const command = `stty -a > at/before; "${process.execPath}" "${bin}" dev --port 0; echo code=$?; stty -a > at/after`
    const view = programOnTerminal('/bin/sh', ['-c', command], {
      cwd,
      env: { NODE_OPTIONS: `--import=${cwd}/hook.mjs` },
    })
    await view.until(/q quit/)
    expect(view.terminal.isSecondScreen()).toBe(true)
    expect(view.terminal.isCursorShown()).toBe(false)
    if (how.startsWith('SIG')) process.kill(Number(readFileSync(`${cwd}/at/pid`, 'utf8')), how)
    else view.type(how || 'q')
    const [, code] = await view.until(/code=(\d+)/)
    expect(await view.ended).toBe(0)

    expect(view.terminal.isSecondScreen()).toBe(false)
    expect(view.terminal.isCursorShown()).toBe(true)
    expect(view.terminal.written()).toContain('\x1b[?7h')
    expect(readFileSync(`${cwd}/at/after`, 'utf8')).toBe(readFileSync(`${cwd}/at/before`, 'utf8'))
    const isCrash = name === 'a crash'
    expect(code).toBe(isCrash ? '1' : name === 'SIGHUP' ? '129' : '0')
    if (isCrash) expect(view.terminal.text()).toMatch(/^held\n[\s\S]*Error: a bug/m)
    else expect(view.terminal.text()).toBe(`code=${code}`)
  })

  test('prints plain lines with --no-ui', async () => {
    const view = onTerminal(['dev', '--port', '0', '--no-ui'])
    const [, url = ''] = await view.until(/listens at (\S+)$/m)
    await asking(url)()
    await view.until(/^GET \/v1\/projects 200 \d+ ms acme-owner$/m)
    view.type(keys.interrupt)
    expect(await view.ended).toBe(0)
    expect(view.terminal.written()).not.toContain('\x1b')
  })
})

describe.skipIf(!hasPty)('other commands on a terminal (needs python3, whose pty module makes one)', () => {
  const mockUrl = () => listening(start(['dev', '--port', '0', '--json'], { cwd: emptyFolder() }))

  test('session use without a name lets one pick a persona', async () => {
    const url = await mockUrl()
    const view = onTerminal(['session', 'use', '--url', url])
    await view.until(/● acme-owner/)
    view.type('no-t')
    await view.until(/leaves\. {2}no-t$/m)
    view.type(keys.enter)
    expect(await view.ended).toBe(0)
    expect(view.terminal.text()).toMatch(/^session=active stands for no-team now\.\nno-team$/m)

    const left = onTerminal(['session', 'use', '--url', url])
    await left.until(/● no-team/)
    left.type(keys.escape)
    expect(await left.ended).toBe(0)
    expect(left.terminal.text()).toBe('Nothing was changed.')
  })

  test('log colours its lines', async () => {
    const url = await mockUrl()
    await asking(url)(post)
    await fetch(`${url}/v1/projects`)
    const view = onTerminal(['log', '--url', url], { columns: 120 })
    expect(await view.ended).toBe(0)
    expect(view.terminal.text()).toMatch(
      /^1 +\d\d:\d\d:\d\d {2}POST \/v1\/projects +201 +acme-owner +handler · \d+ ms$/m,
    )
    expect(view.terminal.written()).toContain('\x1b[33m401 AUTH_REQUIRED')
  })
})
