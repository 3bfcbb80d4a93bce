import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { describe, expect, test } from 'vitest'
import { withModules } from '../../mock/with-modules.js'
import { emptyFolder, listening, run, start } from '../cli-process.js'
import { takePort } from '../take-port.js'

const status = async (url: string, cookie?: string) =>
  (await fetch(`${url}/v1/projects`, { headers: cookie ? { cookie } : {} })).status

describe('dashboard-api dev', () => {
  test('prints its URL with --json, then each request', async () => {
    const mock = start(['dev', '--port', '0', '--json'])
    const url = await listening(mock)
    expect(await status(url, 'session=active')).toBe(200)
    expect(await status(url)).toBe(401)
    await mock.until('stdout', /AUTH_REQUIRED.*\n/)
    mock.child.kill('SIGTERM')
    const { code, stdout, stderr } = await mock.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const ms = expect.any(Number)
    const request = { event: 'request', method: 'GET', path: '/v1/projects', ms }
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { event: 'listening', url, mode: 'mock' },
      { ...request, status: 200, session: 'acme-owner' },
      { ...request, status: 401, code: 'AUTH_REQUIRED' },
    ])
  })

  test('prints a banner and a line for each request without --json, without escape codes', async () => {
    const mock = start(['dev', '--port', '0', '--session', 'globex-owner'], { env: { FORCE_COLOR: '1' } })
    const [, url = ''] = await mock.until('stderr', /listens at (\S+)\n[\s\S]*session use .*\n/)
    await status(url, 'session=active')
    await mock.until('stdout', /\n/)
    mock.child.kill('SIGINT')
    const { code, stdout, stderr } = await mock.ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/^GET \/v1\/projects 200 \d+ ms globex-owner\n$/)
    expect(stderr).toContain('session=active stands for globex-owner')
    expect(stderr).toContain(`curl -b session=active ${url}/v1/projects\n`)
    expect(stderr).toContain(`dashboard-api session use acme-viewer --url ${url}\n`)
    expect(stdout + stderr).not.toContain('\x1b')
  })

  test('marks the query parameters that an operation ignores, without their values', async () => {
    const plain = start(['dev', '--port', '0', '--no-ui', '--session', 'acme-owner'])
    const [, url = ''] = await plain.until('stderr', /listens at (\S+)\n/)
    await fetch(`${url}/v1/projects?_page=2&status=x&token=secret`)
    await fetch(`${url}/v1/projects?`)
    await plain.until('stdout', /\n.*\n/)
    plain.child.kill('SIGTERM')
    expect((await plain.ended).stdout.replace(/\d+ ms/g, 'ms')).toBe(
      'GET /v1/projects ⚠ ignores ?_page&status&token 200 ms acme-owner\nGET /v1/projects 200 ms acme-owner\n',
    )
    const json = start(['dev', '--port', '0', '--json', '--session', 'acme-owner'])
    await fetch(`${await listening(json)}/v1/projects?_page=2`)
    await json.until('stdout', /"ignoredQuery":\["_page"\]/)
    json.child.kill('SIGTERM')
    await json.ended
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
    const mock = start(['dev', '--port', '0', '--json', '--public-url', 'https://team.example/api/'])
    const refused = await fetch(`${await listening(mock)}/v1/projects`)
    const { docsUrl } = await refused.json()
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
    const mock = start(['dev', '--port', '0', '--json', '--handlers', 'handlers.ts'], { cwd })
    const url = await listening(mock)
    const text = async () => (await fetch(`${url}/api/text`)).text()
    expect(await text()).toBe('first')
    handlers("' +")
    await mock.until(
      'stdout',
      /"event":"handlers","refusal":"handlers\.ts is wrong, the last good handlers stay/,
    )
    handlers('second')
    await mock.until('stdout', /"event":"handlers"}\n/)
    expect(await text()).toBe('second')
    expect(await status(url)).toBe(401)
  })

  test.each([
    [
      'handlers.js',
      'The handlers of handlers.js cannot be used: it exports no list of MSW handlers, and no function that returns one',
      'Export a list of MSW handlers, as `handlers` or as the default export.',
    ],
    [
      'importing.ts',
      "The handlers of importing.ts cannot be used: importing.ts:1: Could not resolve './none.js' in importing.ts",
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
    const ended = await run(['dev', '--port', '0', '--handlers', file], { cwd })
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: `error: ${error}\nhint: ${hint}\n` })
  })

  test('has signed in the persona of --session', async () => {
    const mock = start(['dev', '--port', '0', '--json', '--session', 'acme-viewer'])
    const url = await listening(mock)
    expect(await status(url)).toBe(200)
    expect(await status(url, 'session=of-another-service')).toBe(200)
    const { code, stderr } = await run(['session', 'use', 'acme-member', '--url', url])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const me = await (await fetch(`${url}/v1/auth/me`)).json()
    expect(me.user.email).toBe('max@acme.example')
  })

  test('accepts changes of pages of this machine, and prints once what production would need', async () => {
    const mock = start(['dev', '--port', '0', '--no-ui'])
    const [, url = ''] = await mock.until('stderr', /listens at (\S+)\n/)
    const post = async (to: string, origin: string) =>
      (await fetch(`${to}/v1/projects`, { method: 'POST', headers: { origin } })).status
    expect(await post(url, 'http://localhost:5173')).toBe(401)
    expect(await post(url, 'http://localhost:5174')).toBe(401)
    expect(await post(url, 'https://evil.example')).toBe(403)
    mock.child.kill('SIGTERM')
    const { stdout, stderr } = await mock.ended
    expect(stderr.split('\n').filter((line) => line.includes('Production'))).toEqual([
      'Pages of http://localhost:5173 use this mock. ' +
        'Production needs DASHBOARD_API_ALLOWED_ORIGINS=http://localhost:5173 for that.',
    ])
    expect(stdout).toContain('POST /v1/projects 403 CROSS_SITE_REFUSED 0 ms\n')
  })

  test('accepts changes of pages of --allowed-origin only, if it is given', async () => {
    const origins = ['--allowed-origin', 'http://localhost:5173', '--allowed-origin', 'https://app.example']
    const mock = start(['dev', '--port', '0', '--json', ...origins])
    const url = await listening(mock)
    const post = async (origin: string) =>
      (await fetch(`${url}/v1/projects`, { method: 'POST', headers: { origin } })).status
    expect(await post('http://localhost:5173')).toBe(401)
    expect(await post('https://app.example')).toBe(401)
    expect(await post('http://localhost:5174')).toBe(403)
    mock.child.kill('SIGTERM')
    expect((await mock.ended).stderr).toBe('')
    const refused = await run(['dev', '--allowed-origin', 'localhost:5173'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Expected an origin such as') })
  })

  test('answers requests to loopback, to --host and to --allowed-host only', async () => {
    const mock = start([
      'dev',
      '--port',
      '0',
      '--json',
      '--allowed-host',
      'mock',
      '--allowed-host',
      'app.test',
    ])
    const { port } = new URL(await listening(mock))
    const statusOf = (host: string) =>
      new Promise((resolve) => {
        get({ host: '127.0.0.1', port, path: '/v1/projects', headers: { host } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
      })
    const hosts = [`127.0.0.1:${port}`, 'localhost', 'mock:4010', 'app.test', 'evil.example', '192.168.0.7']
    expect(await Promise.all(hosts.map(statusOf))).toEqual([401, 401, 401, 401, 403, 403])
    mock.child.kill('SIGTERM')
    await mock.ended
  })

  test('does not start in production', async () => {
    const { code, stdout, stderr } = await run(['dev', '--port', '0'], { env: { NODE_ENV: 'production' } })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('dashboard-api serve')
  })

  test('prints no control characters of a refused fixture', async () => {
    const folder = emptyFolder()
    const fixtures = `${folder}/odd.json`
    writeFileSync(fixtures, JSON.stringify({ version: 1, '\u001b]0;title\u0007': 1 }))
    const { code, stderr } = await run(['dev', '--port', '0', '--fixtures', fixtures])
    expect(code).toBe(2)
    expect(stderr).toContain('\\x1b]0;title\\x07')
    expect(stderr).not.toContain('\u001b')
  })

  test('refuses an invalid fixture, with the position, the path and the reason of every fault', async () => {
    const file = `${emptyFolder()}/state.json`
    const project = {
      id: 'p',
      name: 'P',
      description: null,
      status: 'active',
      createdAt: '2026-01-01T00:00:00.000Z',
    }
    const teams = [{ id: 't1', name: 'T', orgCode: 'o' }]
    const sessions = [{ id: 's', userId: 'u9', permissions: [] }]
    writeFileSync(
      file,
      JSON.stringify({ version: 1, teams, sessions, projects: [{ ...project, teamId: 't9' }] }),
    )
    const { code, stderr } = await run(['dev', '--port', '0', '--fixtures', file])
    expect(code).toBe(2)
    expect(stderr).toContain(file)
    expect(stderr).toContain('  line 1, column 92: sessions[0].userId: no user "u9"\n')
    expect(stderr).toContain('  line 1, column 234: projects[0].teamId: no team "t9"\n')
  })

  test('starts with a delay, a clock, and repeatable ids', async () => {
    const created = async () => {
      const mock = start(['dev', '--port', '0', '--json', '--seed', '7', '--delay', '40', '--clock', time])
      const url = await listening(mock)
      const response = await fetch(`${url}/v1/projects`, {
        method: 'POST',
        headers: { cookie: 'session=active', 'content-type': 'application/json' },
        body: '{"name":"New"}',
      })
      expect((await run(['mock', 'delay', 'show', '--url', url])).stdout).toContain('\nall\t40\n')
      return (await response.json()) as { project: { createdAt: string } }
    }
    const time = '2026-01-01T00:00:00.000Z'
    const [first, second] = await Promise.all([created(), created()])
    expect(first.project.createdAt).toBe(time)
    expect(second).toEqual(first)
  })

  test('lets the clock run with --ticking', async () => {
    const time = '2026-01-01T00:00:00.000Z'
    const url = await listening(start(['dev', '--port', '0', '--json', '--clock', time, '--ticking']))
    const { stdout } = await run(['mock', 'clock', 'show', '--url', url])
    expect(stdout).toMatch(/^2026-01-01T00:\d\d:\d\d\.\d{3}Z\tticking\n$/)
  })

  test('keeps the state in a file over restarts, and snapshots in a folder', async () => {
    const cwd = emptyFolder()
    const dev = async () => {
      const mock = start(
        ['dev', '--port', '0', '--json', '--persist', 'state.json', '--snapshots', 'snapshots'],
        {
          cwd,
        },
      )
      return { mock, url: await listening(mock) }
    }
    const first = await dev()
    const join = await fetch(`${first.url}/v1/waitlist`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"kept@example.com"}',
    })
    expect(join.status).toBe(200)
    await run(['mock', 'snapshot', 'save', 'one', '--url', first.url])
    first.mock.child.kill('SIGKILL')
    await first.mock.ended
    expect(existsSync(`${cwd}/snapshots/one.json`)).toBe(true)
    const { url } = await dev()
    expect((await run(['state', 'export', '--url', url])).stdout).toContain('kept@example.com')

    writeFileSync(`${cwd}/invalid.json`, '{')
    const { code, stderr } = await run(['dev', '--port', '0', '--persist', 'invalid.json'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^error: The state file invalid\.json was refused; nothing was loaded\.\n {2}line 1, column 2: not JSON/,
    )
    expect(readFileSync(`${cwd}/invalid.json`, 'utf8')).toBe('{')
  })

  test.skipIf(process.platform === 'win32').each([
    ['--persist', /^error: The state cannot be saved in \/dev\/zero: .*not a file/],
    ['--handlers', /^error: The handlers file \/dev\/zero is larger than 16 MiB/],
  ])('does not read a device without an end as %s', async (option, message) => {
    const { code, stderr } = await run(['dev', '--port', '0', option, '/dev/zero'], { cwd: emptyFolder() })
    expect(code).toBeGreaterThan(0)
    expect(stderr).toMatch(message)
  })

  test('reloads the fixture file when it changes; an invalid one is reported, and the last valid state stays', async () => {
    const file = `${emptyFolder()}/state.json`
    const save = (...sessions: string[]) =>
      writeFileSync(
        file,
        JSON.stringify({
          version: 1,
          users: [{ id: 'u', email: 'u@example.com', givenName: '', familyName: '', picture: '' }],
          sessions: sessions.map((id) => ({ id, userId: 'u', permissions: [] })),
        }),
      )
    save('one')
    const plain = start(['dev', '--port', '0', '--fixtures', file])
    const [, url = ''] = await plain.until('stderr', /listens at (\S+)\n/)
    const json = start(['dev', '--port', '0', '--fixtures', file, '--json'])
    await listening(json)
    const personas = async () => (await run(['mock', 'persona', 'list', '--url', url, '--json'])).stdout

    save('two')
    await plain.until('stderr', /^The fixtures were reloaded\.\n/m)
    await json.until('stdout', /^\{"event":"fixtures"\}\n/m)
    expect(await personas()).toContain('"two"')

    writeFileSync(file, '{ "version": 2 }')
    await plain.until(
      'stderr',
      /state\.json is wrong, the last good state stays: line 1, column 14: version: /,
    )
    await json.until('stdout', /^\{"event":"fixtures","refusal":".*version: /m)
    expect(await personas()).toContain('"two"')
  })

  test.each([
    [['--delay', 'soon'], /^error: "soon" is not a delay/],
    [['--chaos', '1.5'], /number from 0 to 1/],
    [['--clock', 'noon'], /^error: "noon" is not a time with a zone/],
    [['--ticking'], /^error: --ticking needs --clock/],
    [['--seed', 'x'], /whole number/],
    [['--fixtures', 'nowhere.json'], /nowhere\.json cannot be read: there is no such file/],
    [['--fixtures', '.'], /cannot be read: it is a folder/],
    [['--session', 'nobody'], /no persona "nobody"\. Possible: acme-owner, /],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await run(['dev', '--port', '0', ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })
})
