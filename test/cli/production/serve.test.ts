import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { withConnection } from '../../../src/store/sqlite/connection.js'
import {
  bin,
  emptyFolder,
  listening,
  type Running,
  run,
  sessionSecret,
  start,
  startProcess,
} from '../cli-process.js'

const env = { DASHBOARD_API_SESSION_SECRET: sessionSecret }

const serve = (folder = emptyFolder()): Running =>
  start(['serve', '--port', '0', '--database', `${folder}/served.db`, '--json'], { env })

describe('dashboard-api serve', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'prints its URL with --json, then its log, and exits with 0 on %s',
    async (signal) => {
      const server = serve()
      const url = await listening(server)
      expect((await fetch(`${url}/v1/projects`)).status).toBe(401)
      await server.until('stdout', /AUTH_REQUIRED/)
      server.child.kill(signal)
      const { code, stdout, stderr } = await server.ended
      expect(code).toBe(0)
      expect(stderr).toMatch(new RegExp(`^${signal}: finishing`, 'm'))
      const [first, ...log] = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(first).toEqual({ event: 'listening', url, mode: 'production' })
      expect(log).toContainEqual(
        expect.objectContaining({ method: 'GET', status: 401, code: 'AUTH_REQUIRED' }),
      )
    },
  )

  test.each<[string, string, (file: string) => void]>([
    ['was removed', 'is no longer at its path', (file) => rmSync(file)],
    [
      'was replaced',
      'was replaced by another file while it was open',
      (file) => {
        copyFileSync(file, `${file}.copy`)
        renameSync(`${file}.copy`, file)
      },
    ],
    ['was truncated', 'is damaged', (file) => truncateSync(file, 8192)],
  ])(
    'refuses the write that finds that its file %s, says why, and exits with 75',
    async (_, reason, change) => {
      const folder = emptyFolder()
      // The command closes the database, so that the file has its whole content.
      await run(['waitlist', 'add', 'ada@example.com', '--database', `${folder}/served.db`])
      const server = serve(folder)
      const url = await listening(server)
      const join = (email: string) =>
        fetch(`${url}/v1/waitlist`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email }),
        })
      // A busy machine may make it refuse requests for a moment.
      await expect.poll(async () => (await join('joan@example.com')).status).toBe(200)
      change(`${folder}/served.db`)
      const sent = join('grace@example.com')
      // The removal of old records after the start may have noticed it before.
      const hasEnded = () => 'refused'
      expect(['refused', 503]).toContain(await sent.then(({ status }) => status, hasEnded))
      const { code, stdout, stderr } = await server.ended
      expect(code).toBe(75)
      expect(stderr).toMatch(new RegExp(`${reason}.*: finishing the open requests`))
      const log = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(log).toContainEqual(
        expect.objectContaining({
          level: 60,
          msg: 'the database is lost: the service ends',
          err: expect.objectContaining({ message: expect.stringContaining(reason) }),
        }),
      )
      // As a supervisor does.
      if (reason !== 'is damaged') {
        const again = serve(folder)
        const next = await listening(again)
        await expect.poll(async () => (await fetch(`${next}/readyz`)).status).toBe(200)
      }
    },
  )

  test.skipIf(process.platform === 'win32')(
    'continues after SIGHUP if nohup started it, without a terminal',
    async () => {
      const args = ['serve', '--port', '0', '--database', `${emptyFolder()}/served.db`, '--json']
      const server = startProcess('nohup', [process.execPath, bin, ...args], { env })
      const url = await listening(server)
      for (let i = 0; i < 2; i += 1) {
        server.child.kill('SIGHUP')
        expect((await fetch(`${url}/v1/projects`)).status).toBe(401)
      }
      server.child.kill('SIGTERM')
      expect((await server.ended).code).toBe(0)
    },
  )

  test.skipIf(process.platform === 'win32')('continues after SIGHUP if nohup started seed', async () => {
    const args = [
      'seed',
      '--teams',
      '400',
      '--projects',
      '50',
      '--database',
      `${emptyFolder()}/seeded.db`,
      '--json',
    ]
    const seed = startProcess('nohup', [process.execPath, bin, ...args], { env })
    await seed.until('stdout', /"event":"progress"/)
    seed.child.kill('SIGHUP')
    const { code, stdout } = await seed.ended
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/"projects":20000\b/)
  })

  test('has logged the lines of the same event-loop turn when an uncaught error ends it', async () => {
    // Throws after the response and its log line, in the same turn.
    const fault = `import { subscribe } from 'node:diagnostics_channel'
      subscribe('http.server.response.finish', ({ request }) => {
        if (request.url.endsWith('crash')) process.nextTick(() => { throw new Error('a crash') })
      })`
    const server = start(['serve', '--port', '0', '--database', `${emptyFolder()}/served.db`, '--json'], {
      env: { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` },
    })
    const url = await listening(server)
    await fetch(`${url}/v1/crash`).catch(() => {})
    const { code, stdout, stderr } = await server.ended
    expect(code).not.toBe(0)
    expect(stderr).toContain('a crash')
    expect(stdout).toContain('"path":"/v1/crash"')
  })

  test('loses at most the log lines of the last event-loop turn after SIGKILL', async () => {
    const server = serve()
    const url = await listening(server)
    for (let i = 0; i < 20; i += 1) await fetch(`${url}/v1/${i}`)
    server.child.kill('SIGKILL')
    const { stdout } = await server.ended
    expect(stdout.split('"msg":"request"').length - 1).toBeGreaterThanOrEqual(19)
  })

  test('reads its settings from the environment, which a flag overrides', async () => {
    const folder = emptyFolder()
    const server = start(['serve', '--port', '0'], {
      cwd: folder,
      env: { ...env, DASHBOARD_API_PORT: '1', DASHBOARD_API_DATABASE: 'from-environment.db' },
    })
    await server.until('stderr', /listens at http:\/\/127\.0\.0\.1:\d+\n/)
    expect(readFileSync(`${folder}/from-environment.db`, 'latin1')).toMatch(/^SQLite format 3/)
    server.child.kill('SIGINT')
    expect(await server.ended).toMatchObject({ code: 0 })
  })

  test('reports all invalid settings at once, and how to create a secret', async () => {
    const folder = emptyFolder()
    const { code, stdout, stderr } = await run(['serve', '--port', 'x'], {
      cwd: folder,
      env: { DASHBOARD_API_SESSION_TTL: 'soon' },
    })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('  --port: ')
    expect(stderr).toContain('  DASHBOARD_API_SESSION_TTL: ')
    expect(stderr).toMatch(/ {2}DASHBOARD_API_SESSION_SECRET: .*it is not set.*randomBytes/)
  })

  test('creates the folder of the default database only', async () => {
    const folder = emptyFolder()
    const server = start(['serve', '--port', '0'], { cwd: folder, env })
    await server.until('stderr', /listens at/)
    expect(readdirSync(`${folder}/data`)).toContain('dashboard.db')
    const { code, stderr } = await run(['serve', '--port', '0', '--database', `${folder}/dta/dashboard.db`], {
      env,
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining(`there is no folder ${folder}/dta`)])
    expect(readdirSync(folder)).toEqual(['data'])
  })

  test('creates no database with --database-setup migrate or none', async () => {
    const folder = emptyFolder()
    for (const [args, more] of [
      [['serve', '--port', '0', '--database-setup', 'migrate'], {}],
      [['serve', '--port', '0'], { DASHBOARD_API_DATABASE_SETUP: 'none' }],
      [['seed'], { DASHBOARD_API_DATABASE_SETUP: 'migrate' }],
    ] as const) {
      const { code, stderr } = await run([...args], { cwd: folder, env: { ...env, ...more } })
      expect([code, stderr]).toEqual([2, expect.stringContaining('dashboard.db: it does not exist')])
    }
    expect(readdirSync(folder)).toEqual([])
  })

  test('refuses a file that is not its database, and does not change it', async () => {
    const file = `${emptyFolder()}/notes.txt`
    writeFileSync(file, 'dear diary')
    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--database', file], { env })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(file)
    expect(readFileSync(file, 'utf8')).toBe('dear diary')
  })

  test('exits with 1 if the port is taken', async () => {
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void holder.close())
    const { port } = holder.address() as AddressInfo
    const { code, stdout, stderr } = await run(['serve', '--port', `${port}`], { cwd: emptyFolder(), env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    // After a message that the start takes long, on a busy machine.
    expect(stderr).toMatch(new RegExp(`^error: Port ${port} of 127\\.0\\.0\\.1 is taken\\.\nhint: `, 'm'))
  })

  test('ends immediately by a signal while it starts', async () => {
    const file = `${emptyFolder()}/locked.db`
    await withConnection(file, 'create', 0, async (holder) => {
      await holder.exec('BEGIN EXCLUSIVE')
      const server = start(['serve', '--port', '0', '--database', file], {
        env: { ...env, DASHBOARD_API_COLOUR: 'red' },
      })
      await server.until('stderr', /COLOUR is no setting/)
      server.child.kill('SIGTERM')
      expect(await server.ended).toMatchObject({ signal: 'SIGTERM', stdout: '' })
    })
  })

  test('waits for open requests after a signal; a second signal ends it immediately', async () => {
    const server = serve()
    const url = await listening(server)
    const slow = request(`${url}/v1/waitlist`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 100, expect: '100-continue' },
    })
    slow.on('error', () => {})
    const accepted = new Promise((resolve) => slow.once('continue', resolve))
    slow.flushHeaders()
    await accepted
    server.child.kill('SIGTERM')
    await server.until('stderr', /SIGTERM: finishing/)
    server.child.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: null, signal: 'SIGTERM' })
  })
})
