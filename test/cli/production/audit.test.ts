import { readFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { parse } from 'csv-parse/sync'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AuditEntry } from '../../../src/store/audit-log.js'
import { openSqliteStore } from '../../store/open-stores.js'
import { execSql } from '../../store/sqlite/database-files.js'
import { emptyFolder, run, sessionSecret } from '../cli-process.js'

/** Commands on a database. */
function commandsOn(database: string) {
  const env = {
    DASHBOARD_API_SESSION_SECRET: sessionSecret,
    DASHBOARD_API_DATABASE: database,
    SUDO_USER: '',
  }
  const cli = (...args: string[]) => run(args, { env })
  const ok = async (...args: string[]) => {
    const result = await cli(...args)
    expect(result, args.join(' ')).toMatchObject({ code: 0 })
    return result.stdout
  }
  const list = async (...args: string[]) =>
    JSON.parse(await ok('audit', 'list', '--json', ...args)).entries as AuditEntry[]
  return { cli, ok, list }
}

const issue = 'session issue --ttl 1h --permissions create:projects'

/** Commands, each with the actions of its audit entries. */
const commands: [command: string, ...actions: string[]][] = [
  ['seed', 'database.create', 'data.load'],
  ['seed --teams 1 --users 1 --projects 1 --seed 7 --yes', 'data.load'],
  ['team create Initech --organization org_initech', 'team.create'],
  ['team rename org_initech Initrode', 'team.rename'],
  ['waitlist add ada@acme.example', 'waitlist.add'],
  ['waitlist add b@example.com', 'waitlist.add'],
  ['waitlist add b@example.com'],
  ['waitlist remove b@example.com', 'waitlist.remove'],
  [`${issue} --user max@acme.example --organization org_acme`, 'session.issue'],
  [`${issue} --user gus@globex.example --organization org_globex`, 'session.issue'],
  ['session revoke --all-of-user max@acme.example --yes', 'session.revoke'],
  ['session revoke --all-of-organization org_globex --yes', 'session.revoke'],
  ['user remove ada@acme.example --yes', 'user.remove', 'waitlist.remove'],
  ['team remove org_initech --yes', 'team.remove'],
]

describe('the audit log', () => {
  test('has an entry for each command that changes something, without addresses or names', async () => {
    const { ok, list } = commandsOn(`${emptyFolder()}/production.db`)
    for (const [command] of commands) await ok(...command.split(' '))
    const entries = (await list()).reverse()
    const expected = commands.flatMap(([command, ...actions]) => {
      const via = /^seed|^\w+ \w+/.exec(command)?.[0]
      return actions.map((action) => ({ via, action }))
    })
    expect(entries.map(({ via, action }) => ({ via, action }))).toEqual(expected)
    const who = { operator: userInfo().username, source: hostname(), outcome: 'success' }
    for (const entry of entries) expect(entry).toMatchObject(who)
    const issued = entries.findLast(({ action }) => action === 'session.issue')
    expect(issued).toMatchObject({ userId: 'user-gus', target: 'team-globex' })
    const text = JSON.stringify(entries)
    for (const word of ['@', 'Initech', 'org_', sessionSecret, 'session.ey']) expect(text).not.toContain(word)
  })

  const seeded = async () => {
    const file = `${emptyFolder()}/production.db`
    const commands = commandsOn(file)
    await commands.ok('seed')
    return { file, ...commands }
  }

  test('has backups, including failed ones, restores and vacuums; a restore keeps later entries', async () => {
    const { file, cli, ok, list } = await seeded()
    const backup = `${emptyFolder()}/backup.db`
    await ok('database', 'backup', backup)
    await ok('team', 'rename', 'org_acme', 'Renamed')
    await ok('database', 'vacuum')
    expect(await cli('database', 'backup', `${emptyFolder()}/none/backup.db`)).toMatchObject({ code: 2 })
    const before = await list()
    expect(before.map(({ action, outcome, target }) => ({ action, outcome, target }))).toEqual([
      { action: 'database.backup', outcome: 'failure', target: expect.stringContaining('none') },
      { action: 'database.vacuum', outcome: 'success' },
      { action: 'team.rename', outcome: 'success', target: 'team-acme' },
      { action: 'database.backup', outcome: 'success', target: backup },
      { action: 'data.load', outcome: 'success' },
      { action: 'database.create', outcome: 'success' },
    ])
    await ok('database', 'restore', backup, '--yes')
    const [restored, ...others] = await list()
    expect(restored).toMatchObject({ action: 'database.restore', target: backup, via: 'database restore' })
    expect(others).toEqual(before)
    expect(await ok('team', 'show', 'org_acme')).toContain('Acme')
    expect(file).toBeTruthy()
  })

  test('is copied with the records; the copy has an entry of that', async () => {
    const { file, ok, list } = await seeded()
    const copy = `${emptyFolder()}/copy.db`
    const report = JSON.parse(
      (await ok('database', 'copy', '--from', file, '--to', copy, '--json')).trim().split('\n').at(-1) ?? '',
    )
    expect(report).toMatchObject({ event: 'done', audit: 2 })
    const [copied, ...others] = await list('--database', copy)
    expect(copied).toMatchObject({ action: 'database.copy', target: file, details: { teams: 2, audit: 2 } })
    expect(others).toEqual(expect.arrayContaining(await list()))
    expect(await list()).toHaveLength(2)
  })

  test('is not written where a backup cannot be recorded, which is reported', async () => {
    const { file, cli, list } = await seeded()
    const store = await openSqliteStore(file)
    onTestFinished(store.close)
    await execSql(file, 'ALTER TABLE audit_log RENAME TO away')
    const backup = await cli('database', 'backup', `${emptyFolder()}/backup.db`)
    expect(backup).toMatchObject({ code: 0 })
    expect(backup.stderr).toContain('has no entry of it')
    await execSql(file, 'ALTER TABLE away RENAME TO audit_log')
    expect(await list('--action', 'database.backup')).toEqual([])
  })

  test('is exported as JSON lines and as CSV, with filters', async () => {
    const { cli, ok, list } = await seeded()
    await ok('team', 'rename', 'org_acme', 'Renamed')
    const entries = await list()
    const lines = (await ok('audit', 'export')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(entries)
    const file = `${emptyFolder()}/audit.csv`
    const exported = await cli('audit', 'export', '--format', 'csv', '--output', file, '--action', 'team')
    expect(exported).toMatchObject({ code: 0, stdout: '', stderr: `Wrote 1 entry to ${file}.\n` })
    const rows: unknown[] = parse(readFileSync(file, 'utf8'), { columns: true })
    expect(rows).toEqual([
      expect.objectContaining({ id: entries[0]?.id, action: 'team.rename', target: 'team-acme', userId: '' }),
    ])
    const loaded: { details: string }[] = parse(
      await ok('audit', 'export', '--format', 'csv', '--action', 'data.load'),
      { columns: true },
    )
    expect(JSON.parse(loaded[0]?.details ?? '')).toMatchObject({ teams: 2 })

    const filters = ['--actor', userInfo().username, '--outcome', 'success', '--since', '2026-01-01']
    expect(await list(...filters, '--until', '9999-12-30', '--action', 'data')).toHaveLength(1)
    const wrong = await cli('audit', 'list', '--action', 'teams')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('team.remove')])
    expect(await ok('audit', 'list', '--action', 'team')).toMatch(
      /^Time\tAction\tOutcome\tOperator\tSource\tUser\tTarget\tDetails\n\S+\tteam.rename\tsuccess\t/,
    )
  })

  test('is filtered by the address of a user, and is part of the export of a person', async () => {
    const { file, ok, list, cli } = await seeded()
    const store = await openSqliteStore(file)
    const session = { id: 's', userId: 'user-ada', permissions: [], orgCode: 'org_acme' }
    await store.addSession(session, { via: 'signInCallback', source: '192.0.2.1' })
    await store.addUser({ id: 'user-nameless', email: '', givenName: '', familyName: '', picture: '' })
    await store.addSession({ ...session, id: 't', userId: 'user-nameless' }, { via: 'signInCallback' })
    await store.close()
    // An empty address, as of an unset variable, matches no user, not even those without an address.
    expect(await list('--actor', '')).toEqual([])
    const byAda = await list('--actor', 'ADA@acme.example')
    expect(byAda).toMatchObject([{ action: 'sign-in', userId: 'user-ada', source: '192.0.2.1' }])
    expect(JSON.parse(await ok('user', 'export', 'ada@acme.example')).audit).toEqual(byAda)

    await ok('user', 'remove', 'ada@acme.example', '--yes')
    const left = (await list()).filter(({ userId }) => userId === 'user-ada')
    expect(left.map(({ action }) => action)).toEqual(['user.remove', 'sign-in'])
    expect((await cli('user', 'export', 'ada@acme.example')).code).toBe(2)
  })

  test('names the user who called sudo', async () => {
    const file = `${emptyFolder()}/production.db`
    const env = { DASHBOARD_API_DATABASE: file, SUDO_USER: 'grace' }
    await run(['team', 'create', 'A', '--organization', 'org_a'], { env })
    const { list } = commandsOn(file)
    expect((await list('--action', 'team'))[0]).toMatchObject({
      operator: 'grace',
      details: { runsAs: userInfo().username },
    })
  })
})
