import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { describe, expect, test } from 'vitest'
import { withModules } from '../../mock/with-modules.js'
import { emptyFolder, listening, type Options, run, start } from '../cli-process.js'
import { takePort } from '../take-port.js'

/** Starts a mock. Its behaviour is tested in test/mock; the tests here check that options reach it, and its output. */
async function dev(args: string[], options?: Options) {
  const mock = start(['dev', '--port', '0', ...args], options)
  const isJson = args.includes('--json')
  const url = isJson
    ? await listening(mock)
    : (await mock.until('stderr', /listens at (\S+)\n[\s\S]*--times 1.*\n/))[1]
  return {
    ...mock,
    url: url ?? '',
    end(signal: NodeJS.Signals = 'SIGTERM') {
      mock.child.kill(signal)
      return mock.ended
    },
  }
}

const status = async (url: string, headers = {}) => (await fetch(`${url}/v1/projects`, { headers })).status
const asActive = { cookie: 'session=active' }

describe('dashboard-api dev', () => {
  test('prints its URL with --json, then each request', async () => {
    const mock = await dev(['--json'])
    expect(await status(mock.url, asActive)).toBe(200)
    expect(await status(mock.url)).toBe(401)
    await mock.until('stdout', /AUTH_REQUIRED.*\n/)
    const { code, stdout, stderr } = await mock.end()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const request = { event: 'request', method: 'GET', path: '/v1/projects', ms: expect.any(Number) }
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { event: 'listening', url: mock.url, mode: 'mock' },
      { ...request, status: 200, session: 'acme-owner' },
      { ...request, status: 401, code: 'AUTH_REQUIRED' },
    ])
  })

  test('prints a banner and a line for each request without --json, without escape codes', async () => {
    const mock = await dev(['--session', 'globex-owner'], { env: { FORCE_COLOR: '1' } })
    await status(mock.url, asActive)
    await mock.until('stdout', /\n/)
    const { code, stdout, stderr } = await mock.end('SIGINT')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^GET \/v1\/projects 200 \d+ ms globex-owner\n$/)
    expect(stderr).toContain('The cookie session=active stands for globex-owner')
    expect(stderr).toContain(`curl -b session=active ${mock.url}/v1/projects\n`)
    expect(stderr).toContain(`dashboard-api session use acme-viewer --url ${mock.url}\n`)
    expect(stdout + stderr).not.toContain('\x1b')
  })

  test('marks the query parameters that an operation ignores, without their values', async () => {
    const plain = await dev(['--no-ui', '--session', 'acme-owner'])
    await fetch(`${plain.url}/v1/projects?_page=2&status=x&token=secret`)
    await fetch(`${plain.url}/v1/projects?`)
    await plain.until('stdout', /\n.*\n/)
    expect((await plain.end()).stdout.replace(/\d+ ms/g, 'ms')).toBe(
      'GET /v1/projects ⚠ ignores ?_page&status&token 200 ms acme-owner\nGET /v1/projects 200 ms acme-owner\n',
    )
    const json = await dev(['--json'])
    await fetch(`${json.url}/v1/projects?_page=2`)
    await json.until('stdout', /"ignoredQuery":\["_page"\]/)
  })

  test('uses the next free port and reports it; --strict-port fails instead', async () => {
    const port = await takePort()
    const mock = start(['dev', '--port', `${port}`])
    await mock.until('stderr', new RegExp(`Port ${port} is taken`))
    const [, other] = await mock.until('stderr', /listens at http:\/\/localhost:(\d+)\n/)
    expect(Number(other)).toBeGreaterThan(port)

    const { code, stdout, stderr } = await run(['dev', '--port', `${port}`, '--strict-port'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^error: Port ${port} of localhost is taken\\.\nhint: .*--port`))
  })

  test('links to its pages by --public-url, behind a proxy that strips a prefix', async () => {
    const { url } = await dev(['--json', '--public-url', 'https://team.example/api/'])
    const { docsUrl } = await (await fetch(`${url}/v1/projects`)).json()
    expect(docsUrl).toBe('https://team.example/api/docs/errors/auth-required')
  })

  test('answers with a file of handlers first, and reloads it', async () => {
    const cwd = withModules(emptyFolder())
    const handlers = (text: string) =>
      writeFileSync(
        `${cwd}/handlers.ts`,
        `import { http, HttpResponse } from 'msw'
        const text: string = '${text}'
        export const handlers = [http.get('/api/text', () => HttpResponse.text(text))]`,
      )
    handlers('first')
    const { url, until } = await dev(['--json', '--handlers', 'handlers.ts'], { cwd })
    const text = async () => (await fetch(`${url}/api/text`)).text()
    expect(await text()).toBe('first')
    handlers("' +")
    await until(
      'stdout',
      /"event":"handlers","refusal":"handlers\.ts cannot be used, the last good handlers stay/,
    )
    handlers('second')
    await until('stdout', /"event":"handlers"}\n/)
    expect(await text()).toBe('second')
    expect(await status(url)).toBe(401)
    rmSync(`${cwd}/handlers.ts`)
    await until(
      'stdout',
      /"refusal":"handlers\.ts cannot be used, the last good handlers stay: handlers\.ts is gone; /,
    )
    expect(await text()).toBe('second')
    handlers('second')
    await until('stdout', /is gone; [\s\S]*"event":"handlers"}\n/)
    handlers('third')
    await expect.poll(text).toBe('third')
  })

  test('leads what handlers print to stderr with --json', async () => {
    const cwd = emptyFolder()
    writeFileSync(
      `${cwd}/handlers.js`,
      `console.log('printed')\nprocess.stdout.write('written\\n')\nexport const handlers = []`,
    )
    const mock = await dev(['--json', '--handlers', 'handlers.js'], { cwd })
    await status(mock.url)
    await mock.until('stdout', /AUTH_REQUIRED.*\n/)
    const { stdout, stderr } = await mock.end()
    expect(stderr).toBe('printed\nwritten\n')
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event)
    expect(events).toEqual(['listening', 'request'])
  })

  test('says that it answers no WebSocket, where handlers have one', async () => {
    const cwd = withModules(emptyFolder())
    writeFileSync(
      `${cwd}/handlers.js`,
      `import { ws } from 'msw'
      export const handlers = [ws.link('ws://localhost:4010/chat').addEventListener('connection', () => {})]`,
    )
    const { until } = await dev(['--json', '--handlers', 'handlers.js'], { cwd })
    await until('stderr', /handlers\.js has WebSocket handlers, .+: this server answers no WebSocket\./)
  })

  test.each([
    [
      'handlers.js',
      'The handlers of handlers.js cannot be used: it exports no list of MSW handlers, and no function that returns one',
      'Export a list of MSW handlers, as `handlers` or as the default export.',
    ],
    [
      'importing.ts',
      "The handlers of importing.ts cannot be used: importing.ts:1: Cannot find module './none.js'",
      'Correct the file, or what it imports.',
    ],
    [
      'mocks.ts',
      "The handlers of mocks.ts cannot be used: mocks.ts:1: Cannot find module 'msw'",
      'Install the package with "npm install -D msw", or correct the import.',
    ],
    [
      'scoped.js',
      "The handlers of scoped.js cannot be used: scoped.js:1: Cannot find module '@acme/api/mocks'",
      'Install the package with "npm install -D @acme/api", or correct the import.',
    ],
    [
      'alias.ts',
      "The handlers of alias.ts cannot be used: alias.ts:1: Cannot find module '@/mocks'",
      'Correct the file, or what it imports.',
    ],
    [
      'none.ts',
      'The handlers file none.ts cannot be read: there is no such file.',
      'Give the path of a JavaScript or TypeScript file of MSW handlers.',
    ],
  ])('does not start with %s, which has no handlers', async (file, error, hint) => {
    const cwd = emptyFolder()
    writeFileSync(`${cwd}/handlers.js`, 'export const other = 1')
    writeFileSync(`${cwd}/importing.ts`, "import './none.js'\nexport const handlers = []")
    writeFileSync(
      `${cwd}/mocks.ts`,
      "import { http } from 'msw'\nexport const handlers = [http.get('/', () => {})]",
    )
    writeFileSync(`${cwd}/scoped.js`, "module.exports = [require('@acme/api/mocks')]")
    writeFileSync(`${cwd}/alias.ts`, "export * from '@/mocks'")
    const ended = await run(['dev', '--port', '0', '--handlers', file], { cwd })
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: `error: ${error}\nhint: ${hint}\n` })
  })

  test('signs in the persona of --session', async () => {
    const { url } = await dev(['--json', '--session', 'acme-viewer'])
    const email = async () => (await (await fetch(`${url}/v1/auth/me`)).json()).user.email
    expect(await email()).toBe('vera@acme.example')
    await run(['session', 'use', 'acme-member', '--url', url])
    expect(await email()).toBe('max@acme.example')
  })

  test('accepts changes by pages on this machine, and prints once the setting that production would need', async () => {
    const mock = await dev(['--no-ui'])
    const post = async (origin: string) =>
      (await fetch(`${mock.url}/v1/projects`, { method: 'POST', headers: { origin } })).status
    const origins = ['http://localhost:5173', 'http://localhost:5174', 'https://evil.example']
    expect([
      await post(origins[0] ?? ''),
      await post(origins[1] ?? ''),
      await post(origins[2] ?? ''),
    ]).toEqual([401, 401, 403])
    const { stdout, stderr } = await mock.end()
    expect(stderr.split('\n').filter((line) => line.includes('Production'))).toEqual([
      'Pages of http://localhost:5173 use this mock. ' +
        'Production needs DASHBOARD_API_ALLOWED_ORIGINS=http://localhost:5173 for that.',
    ])
    expect(stdout).toMatch(/POST \/v1\/projects 403 CROSS_SITE_REFUSED \d+ ms\n/)
  })

  test('answers only requests to hosts of --allowed-host, and by pages of --allowed-origin', async () => {
    const hosts = ['--allowed-host', 'mock', '--allowed-host', 'app.test']
    const origins = ['--allowed-origin', 'http://localhost:5173', '--allowed-origin', 'https://app.example']
    const mock = await dev(['--json', ...hosts, ...origins])
    const { port } = new URL(mock.url)
    const statusOf = (host: string) =>
      new Promise((resolve) => {
        get({ host: '127.0.0.1', port, path: '/v1/projects', headers: { host } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
      })
    const asked = [`127.0.0.1:${port}`, 'localhost', 'mock:4010', 'app.test', 'evil.example', '192.168.0.7']
    expect(await Promise.all(asked.map(statusOf))).toEqual([401, 401, 401, 401, 403, 403])
    const post = async (origin: string) =>
      (await fetch(`${mock.url}/v1/projects`, { method: 'POST', headers: { origin } })).status
    const pages = ['http://localhost:5173', 'https://app.example', 'http://localhost:5174']
    expect(await Promise.all(pages.map(post))).toEqual([401, 401, 403])
    expect((await mock.end()).stderr).toBe('')
  })

  test('starts with a delay, a clock, and repeatable ids', async () => {
    const time = '2026-01-01T00:00:00.000Z'
    const created = async () => {
      const { url } = await dev(['--json', '--seed', '7', '--delay', '40', '--clock', time])
      const response = await fetch(`${url}/v1/projects`, {
        method: 'POST',
        headers: { ...asActive, 'content-type': 'application/json' },
        body: '{"name":"New"}',
      })
      expect((await run(['mock', 'delay', 'show', '--url', url])).stdout).toContain('\nall\t40\n')
      return (await response.json()) as { project: { createdAt: string } }
    }
    const [first, second] = await Promise.all([created(), created()])
    expect(first.project.createdAt).toBe(time)
    expect(second).toEqual(first)

    const { url } = await dev(['--json', '--clock', time, '--ticking'])
    const { stdout } = await run(['mock', 'clock', 'show', '--url', url])
    expect(stdout).toMatch(/^2026-01-01T00:\d\d:\d\d\.\d{3}Z\tticking\n$/)
  })

  test('keeps the state in a file across restarts, and snapshots in a folder', async () => {
    const cwd = emptyFolder()
    const args = ['--json', '--persist', 'state.json', '--snapshots', 'snapshots']
    const first = await dev(args, { cwd })
    await fetch(`${first.url}/v1/waitlist`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"kept@example.com"}',
    })
    await run(['mock', 'snapshot', 'save', 'one', '--url', first.url])
    await first.end('SIGKILL')
    expect(existsSync(`${cwd}/snapshots/one.json`)).toBe(true)
    const { url } = await dev(args, { cwd })
    expect((await run(['state', 'export', '--url', url])).stdout).toContain('kept@example.com')
  })

  test('reloads the fixture file when it changes; reports an invalid one, and keeps the last valid state', async () => {
    const file = `${emptyFolder()}/state.json`
    const user = { id: 'u', email: 'u@example.com', givenName: '', familyName: '', picture: '' }
    const save = (id: string) => {
      const sessions = [{ id, userId: 'u', permissions: [] }]
      writeFileSync(file, JSON.stringify({ version: 1, users: [user], sessions }))
    }
    save('one')
    const plain = start(['dev', '--port', '0', '--fixtures', file])
    await plain.until('stderr', /listens at (\S+)\n/)
    const json = await dev(['--fixtures', file, '--json'])
    save('two')
    await plain.until('stderr', /^The fixtures were reloaded\.\n/m)
    await json.until('stdout', /^\{"event":"fixtures"\}\n/m)

    writeFileSync(file, '{ "version": 2 }')
    const reported = /state\.json cannot be used, the last good state stays: line 1, column 14: version: /
    await plain.until('stderr', reported)
    await json.until('stdout', /^\{"event":"fixtures","refusal":".*version: /m)
    const { stdout } = await run(['mock', 'persona', 'list', '--url', json.url, '--json'])
    expect(stdout).toContain('"two"')
  })

  test('refuses an invalid state file, with the position, the path and the reason of every fault', async () => {
    const cwd = emptyFolder()
    const dev = (option: string, name: string, text: string) => {
      writeFileSync(`${cwd}/${name}`, text)
      return run(['dev', '--port', '0', option, name], { cwd })
    }
    const sessions = '"sessions":[{"id":"s","userId":"u9","permissions":[]}]'
    const faults = await dev('--fixtures', 'faults.json', `{"version":1,${sessions}}`)
    expect(faults).toMatchObject({ code: 2, stderr: expect.stringContaining('faults.json') })
    expect(faults.stderr).toMatch(/^ {2}line 1, column \d+: sessions\[0\]\.userId: no user "u9"$/m)
    const odd = await dev('--fixtures', 'odd.json', '{"version":1,"\\u001b]0;title\\u0007":1}')
    expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining('\\x1b]0;title\\x07') })
    expect(odd.stderr).not.toContain('\u001b')
    const persisted = await dev('--persist', 'broken.json', '{')
    expect(persisted.code).toBe(2)
    expect(persisted.stderr).toMatch(
      /^error: The state file broken\.json was refused; nothing was loaded\.\n {2}line 1, column 2: not JSON/,
    )
    expect(readFileSync(`${cwd}/broken.json`, 'utf8')).toBe('{')
  })

  test.skipIf(process.platform === 'win32').each([
    ['--persist', /^error: The state cannot be saved in \/dev\/zero: .*not a file/],
    ['--handlers', /^error: The handlers file \/dev\/zero is larger than 16 MiB/],
  ])('does not read an endless device as %s', async (option, message) => {
    const { code, stderr } = await run(['dev', '--port', '0', option, '/dev/zero'], { cwd: emptyFolder() })
    expect(code).toBeGreaterThan(0)
    expect(stderr).toMatch(message)
  })

  test.each<[string[], RegExp, Record<string, string>?]>([
    [['--delay', 'soon'], /^error: "soon" is not a delay/],
    [['--chaos', '1.5'], /number from 0 to 1/],
    [['--clock', 'noon'], /^error: "noon" is not a time with a zone/],
    [['--ticking'], /^error: --ticking needs --clock/],
    [['--seed', 'x'], /whole number/],
    [['--fixtures', 'nowhere.json'], /nowhere\.json cannot be read: there is no such file/],
    [['--fixtures', '.'], /cannot be read: it is a folder/],
    [['--session', 'nobody'], /no persona "nobody"\. Possible: acme-owner, /],
    [['--allowed-origin', 'localhost:5173'], /Expected an origin such as/],
    [[], /dashboard-api serve/, { NODE_ENV: 'production' }],
    [[], /NODE_ENV=Production/, { NODE_ENV: 'Production' }],
    [[], /NODE_ENV=prod:/, { NODE_ENV: 'prod' }],
  ])('refuses %j', async (args, message, env) => {
    // A process of its own has to end by itself.
    const { code, stdout, stderr } = await start(['dev', '--port', '0', ...args], { ...(env && { env }) })
      .ended
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })
})
