import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { withModules } from '../../mock/with-modules.js'
import { emptyFolder } from '../cli-process.js'
import { hasTerminal, keys, type OnTerminal, onTerminal } from './on-terminal.js'
import { fetchProjects, post, startDev } from './start-dev.js'

/** Types each key after the screen shows the effect of the previous one. */
async function press({ view }: { view: OnTerminal }, ...steps: [key: string, shows: RegExp][]) {
  for (const [key, shows] of steps) {
    view.type(key)
    await view.until(shows)
  }
}

describe.skipIf(!hasTerminal)('dev on a terminal (needs tmux)', () => {
  test('shows its address, the active persona, and each request as it arrives', async () => {
    const { view, sendRequest } = await startDev()
    await view.until(/^Persona {2}acme-owner ada@acme\.example · owner · org_acme {3}without/m)
    await view.until(/^Forced {3}nothing$/m)
    await sendRequest()
    await view.until(/^\d\d:\d\d:\d\d {2}GET \/v1\/projects +200 +acme-owner/m)
  })

  test('forces an outcome for the next request, and shows when it has been used', async () => {
    const mock = await startDev()
    await press(
      mock,
      ['f', /Force an outcome, next request/],
      ['create taken', /next request {2}create taken$/m],
      [keys.enter, /^Forced {3}createProject PROJECT_NAME_TAKEN, next request$/m],
    )
    expect((await mock.sendRequest(post)).status).toBe(409)
    await mock.view.until(/^Forced {3}nothing$/m)
    await mock.view.until(/POST \/v1\/projects +409 PROJECT_NAME_TAKEN/)
  })

  test('selects a persona with arrow keys and by filter', async () => {
    const mock = await startDev()
    await press(
      mock,
      ['p', /^Persona$/m],
      [keys.down, /^Persona$/m],
      [keys.down, /^Persona$/m],
      [keys.enter, /^Persona {2}acme-viewer/m],
    )
    expect((await mock.sendRequest(post)).status).toBe(403)
    await press(
      mock,
      ['p', /^Persona$/m],
      ['glob', /Persona {2}glob$/m],
      [keys.enter, /^Persona {2}globex-owner/m],
    )
    expect((await mock.sendRequest(post)).status).toBe(201)
  })

  test('sets a delay, and shows why an invalid one is refused', async () => {
    const mock = await startDev()
    await press(
      mock,
      ['d', /Delay of everything/],
      ['soon', / {2}soon$/m],
      [keys.enter, /"soon" is not a delay/],
      [keys.erase.repeat(4), /200-800$/m],
      ['20-30', / {2}20-30$/m],
      [keys.enter, /^Delay {4}20-30 ms/m],
    )
  })

  test('undoes a change, and resets', async () => {
    const mock = await startDev()
    const projects = async () =>
      ((await (await mock.sendRequest()).json()) as { projects: unknown[] }).projects.length
    const count = await projects()
    await mock.sendRequest(post)
    await press(mock, ['u', /Went back to before .* was created\./])
    expect(await projects()).toBe(count)
    await press(mock, ['y', /Made again: /], ['r', /Reset the mock\?/], [keys.enter, /Everything was reset/])
    expect(await projects()).toBe(count)
  })

  test('shows the details of a request with its curl command', async () => {
    // The details need more rows than usual terminals have.
    const mock = await startDev({ rows: 50 })
    await mock.sendRequest(post)
    await mock.view.until(/POST \/v1\/projects/)
    await press(mock, [keys.enter, /^Decided by handler$/m])
    await mock.view.until(/^The response .*^curl -i -X POST http/ms)
    await press(mock, [keys.escape, /^Time +Request/m])
  })

  test('shows requests to custom handlers, and forces an outcome of the selected one', async () => {
    const cwd = withModules(emptyFolder())
    const handler = "http.get('/api/invoices/:id', () => HttpResponse.json({}))"
    writeFileSync(
      `${cwd}/handlers.js`,
      `import { http, HttpResponse } from 'msw'\nexport const handlers = [${handler}]`,
    )
    const mock = await startDev({ cwd }, '--handlers', 'handlers.js')
    const request = async () => (await fetch(`${mock.url}/api/invoices/7`)).status
    expect(await request()).toBe(200)
    await mock.view.until(/GET \/api\/invoices\/7 +200/)
    mock.view.type(keys.down)
    await press(
      mock,
      ['f', /Force GET \/api\/invoices\/:id, next request/],
      ['503', /request {2}503$/m],
      [keys.enter, /^Forced {3}GET \/api\/invoices\/:id 503, next request$/m],
    )
    expect(await request()).toBe(503)
  })

  test('opens the page in the browser, and reports if there is none', async () => {
    const path = emptyFolder()
    const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
    const browser = (exit: number) => {
      writeFileSync(`${path}/${opener}`, `#!/bin/sh\necho "$1" > "${path}/opened"\nexit ${exit}\n`)
      chmodSync(`${path}/${opener}`, 0o755)
    }
    browser(0)
    const mock = await startDev({ env: { PATH: `${path}:${process.env.PATH}` } })
    await press(mock, ['o', /Opened the page in the browser\./])
    expect(readFileSync(`${path}/opened`, 'utf8')).toBe(`${mock.url}\n`)
    browser(1)
    await press(mock, ['o', /No browser could be opened; open http/])
  })

  test('shows the error of a fixture file until it is corrected', async () => {
    const cwd = emptyFolder()
    const state = (...projects: unknown[]) => JSON.stringify({ version: 1, projects })
    writeFileSync(`${cwd}/state.json`, state())
    const { view } = await startDev({ cwd }, '--fixtures', 'state.json')
    writeFileSync(`${cwd}/state.json`, state({}))
    await view.until(/^state\.json cannot be used, the last good state stays: line 1, column 26: /m)
    writeFileSync(`${cwd}/state.json`, state())
    await view.until(/^The fixtures were reloaded\./m)
    expect(view.terminal.text()).not.toContain('cannot be used')
  })

  test('prints plain lines with --no-ui', async () => {
    const view = onTerminal(['dev', '--port', '0', '--no-ui'])
    const [, url = ''] = await view.until(/listens at (\S+)$/m)
    await fetchProjects(url)
    await view.until(/^GET \/v1\/projects 200 \d+ ms acme-owner$/m)
    view.type(keys.interrupt)
    expect(await view.ended).toBe(0)
    expect(view.terminal.written()).not.toContain('\x1b')
  })
})
