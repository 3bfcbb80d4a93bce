import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { demo } from '../../server/server-harness.js'
import { openSqliteStore } from '../../store/open-stores.js'
import { programOfSecondVersion } from '../../store/second-version.js'
import { addressesIn } from '../../store/sqlite/database-files.js'
import { asOtherUser, noOtherUser, otherUser } from '../../store/sqlite/other-user.js'
import {
  emptyFolder,
  listening,
  type Options,
  run,
  sessionSecret,
  start,
  startProcess,
} from '../cli-process.js'

let program: string
beforeAll(() => {
  program = programOfSecondVersion(mkdtempSync(join(tmpdir(), 'second-version-')))
  return () => rmSync(dirname(program.replace(/bin.[^/]*$/, 'x')), { recursive: true })
})

/** Starts a program of the version after this one. */
const startNext = (args: string[], options?: Options) =>
  startProcess(process.execPath, [program, ...args], options)
const runNext = (args: string[], options?: Options) => startNext(args, options).ended

/** A folder with a database of the demo. */
async function createPresent() {
  const folder = emptyFolder()
  const file = join(folder, 'app.db')
  const store = await openSqliteStore(file)
  await store.load(demo())
  await store.close()
  return { folder, file }
}

const env = { DASHBOARD_API_SESSION_SECRET: sessionSecret }
const [session] = demo().sessions

/** Every command that only reads a database. */
const reading = [
  ['team', 'list'],
  ['team', 'show', 'org_acme'],
  ['user', 'list'],
  ['user', 'show', 'ada@acme.example'],
  ['user', 'export', 'ada@acme.example'],
  ['project', 'list', '--team', 'org_acme'],
  ['session', 'list'],
  ['session', 'show', session?.id ?? ''],
  ['waitlist', 'list'],
  ['waitlist', 'stats'],
  ['waitlist', 'export'],
  ['database', 'check'],
]

describe('commands that read', () => {
  test.skipIf(noOtherUser)(asOtherUser('need no write permission, and migrate nothing'), async () => {
    const { folder, file } = await createPresent()
    const before = readFileSync(file)
    chmodSync(file, 0o444)
    chmodSync(folder, 0o555)
    const failed = []
    for (const command of reading) {
      const { code, stderr } = await run([...command, '--database', file], {
        user: otherUser,
      })
      if (code !== 0) failed.push([command, stderr])
    }
    expect(failed).toEqual([])
    expect(readFileSync(file)).toEqual(before)
    chmodSync(folder, 0o755)
    expect(readdirSync(folder)).toEqual(['app.db'])
  })

  test.skipIf(noOtherUser)(
    asOtherUser('need no write permission while a server runs, or after it was killed'),
    async () => {
      const { folder, file } = await createPresent()
      const server = start(['serve', '--port', '0', '--database', file, '--json'], { env })
      await listening(server)
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444)
      chmodSync(folder, 0o555)
      const list = async () => run(['team', 'list', '--database', file], { user: otherUser })
      expect(await list()).toMatchObject({ code: 0, stdout: expect.stringContaining('org_acme') })
      server.child.kill('SIGKILL')
      await server.ended
      expect(await list()).toMatchObject({ code: 0, stdout: expect.stringContaining('org_acme') })
      chmodSync(folder, 0o755)
      expect(readdirSync(folder)).toContain('app.db-wal')
    },
  )
})

describe('commands that read or write', () => {
  test('refuse an older version with a hint, and change nothing', async () => {
    const { folder, file } = await createPresent()
    const before = readFileSync(file)
    const writing = [
      ['team', 'create', 'Initech', '--organization', 'org_initech'],
      ['waitlist', 'add', 'ada@example.com'],
      ['session', 'revoke', session?.id ?? ''],
      ['seed'],
    ]
    const others = reading.filter(([, name]) => name !== 'check')
    for (const command of [...writing, ...others]) {
      const { code, stderr } = await runNext([...command, '--database', file])
      const reason = `it has version 1, and this program needs version 2. Migrate it with "database migrate"`
      expect([command, code, stderr]).toEqual([command, 2, expect.stringContaining(reason)])
    }
    expect(readFileSync(file)).toEqual(before)
    expect(readdirSync(folder)).toEqual(['app.db'])
  })
})

describe('a migration', () => {
  test('by "database migrate" names the verified copy that was made before', async () => {
    const { folder, file } = await createPresent()
    const { code, stdout, stderr } = await runNext(['database', 'migrate', '--database', file, '--json'])
    const { from, to, copy } = JSON.parse(stdout)
    expect([code, from, to]).toEqual([0, 1, 2])
    expect(stderr).toContain(`The copy made before is ${copy}.`)
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([file, copy])
    expect((await runNext(['database', 'check', '--database', copy])).stdout).toContain(
      `1; "database migrate"`,
    )
  })

  test('makes no copy with --no-copy', async () => {
    const { folder, file } = await createPresent()
    expect((await runNext(['database', 'migrate', '--no-copy', '--database', file])).code).toBe(0)
    expect(readdirSync(folder)).toEqual(['app.db'])
  })

  test('by "serve" is logged with the copy; "serve --database-setup none" refuses', async () => {
    const { folder, file } = await createPresent()
    const before = readFileSync(file)
    const serve = ['serve', '--port', '0', '--database', file, '--json']
    for (const refused of [
      await runNext([...serve, '--database-setup', 'none'], { env }),
      await runNext(serve, { env: { ...env, DASHBOARD_API_DATABASE_SETUP: 'none' } }),
      await runNext(['config', '--check', '--database-setup', 'none', '--database', file], { env }),
    ]) {
      expect(refused.code).toBe(2)
      expect(refused.stderr).toContain(`it has version 1, and this program needs version 2`)
    }
    expect(readFileSync(file)).toEqual(before)

    const server = startNext(serve, { env })
    const [line] = await server.until('stdout', /.*the database was migrated.*/)
    const { from, to, copy } = JSON.parse(line)
    expect([from, to]).toEqual([1, 2])
    server.child.kill('SIGTERM')
    await server.ended
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([file, copy])
    expect((await addressesIn(file)).length).toBe(demo().waitlist.length)

    // Nothing is left to migrate, so that it starts.
    await listening(startNext([...serve, '--database-setup', 'none'], { env }))
  })
})
