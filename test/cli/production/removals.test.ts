import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/store/audit-log.js'
import { emptyFolder } from '../cli-process.js'
import { databases } from './databases.js'
import { seededDatabase } from './seeded-database.js'

describe.each(Object.entries(databases))('removals from %s', (_, { reason, make }) => {
  test.skipIf(reason)('apply immediately to every running server, and leave the database valid', async () => {
    const database = await make()
    const { cli, json, issue, serve } = await seededDatabase(database)
    await cli('waitlist', 'add', 'ada@acme.example')
    const [ada, max, gus] = await Promise.all([
      issue('ada@acme.example', 'org_acme'),
      issue('max@acme.example', 'org_acme'),
      issue('gus@globex.example', 'org_globex'),
    ])
    const bodyOf = async (response: Promise<Response>) => (await response).json()
    const servers = [await serve(), await serve()]
    /** The statuses of all servers, from their caches if they have one. */
    const statuses = async () =>
      Promise.all(
        servers.flatMap((get) =>
          [ada, max, gus].map(async ({ cookie }) => [
            (await get('/v1/projects', cookie)).status,
            (await get('/v1/auth/me', cookie)).status,
          ]),
        ),
      ).then((all) => all.flat())
    const ok = [200, 200]
    const ended = [401, 401]
    expect(await statuses()).toEqual([...ok, ...ok, ...ok, ...ok, ...ok, ...ok])
    expect(await statuses()).toEqual([...ok, ...ok, ...ok, ...ok, ...ok, ...ok])

    const exported = await cli('user', 'export', 'ADA@acme.example')
    expect(exported.code).toBe(0)
    expect(JSON.parse(exported.stdout)).toMatchObject({
      users: [
        {
          id: 'user-ada',
          email: 'ada@acme.example',
          sessions: [{ userId: 'user-ada', orgCode: 'org_acme' }],
        },
      ],
      waitlist: [{ email: 'ada@acme.example' }],
    })

    const asked = await cli('user', 'remove', 'ada@acme.example')
    expect(asked).toMatchObject({ code: 2, stdout: '' })
    expect(asked.stderr).toContain(
      'This removes ada@acme.example for good: 1 user, 1 session, 1 entry of the waitlist.\nhint: Nothing was changed.',
    )
    expect(await statuses()).toEqual([...ok, ...ok, ...ok, ...ok, ...ok, ...ok])
    const removed = await json('user', 'remove', 'ada@acme.example', '--yes')
    expect(removed).toMatchObject({
      users: ['user-ada'],
      removed: { users: 1, sessions: 1, waitlist: 1, projects: 0 },
    })
    expect(await statuses()).toEqual([...ended, ...ok, ...ok, ...ended, ...ok, ...ok])
    expect((await cli('user', 'export', 'ada@acme.example')).code).toBe(2)

    const [{ id }] = (await json('project', 'list', '--team', 'org_acme')).projects
    expect((await cli('project', 'remove', id, '--team', 'org_globex', '--yes')).code).toBe(2)
    expect((await cli('project', 'remove', id, '--team', 'org_acme', '--yes')).code).toBe(0)
    for (const get of servers) {
      for (const path of ['/v1/projects', '/v1/auth/me']) {
        expect(JSON.stringify(await bodyOf(get(path, max.cookie)))).not.toContain(id)
      }
    }

    const team = await cli('team', 'remove', 'org_acme', '--yes')
    expect(team).toMatchObject({ code: 0, stdout: 'team-acme\n' })
    expect(team.stderr).toMatch(/^Removed the team Acme, with \d projects and 1 session\.$/m)
    expect(team.stderr).toContain('Backups')
    expect(await statuses()).toEqual([...ended, ...ended, ...ok, ...ended, ...ended, ...ok])

    // A new team of the same organisation does not get the projects of the removed one.
    await cli('team', 'create', 'Acme again', '--organization', 'org_acme')
    const again = await issue('max@acme.example', 'org_acme')
    for (const get of servers) {
      expect(await bodyOf(get('/v1/projects', again.cookie))).toEqual({ projects: [] })
      expect(await bodyOf(get('/v1/auth/me', again.cookie))).toMatchObject({ projects: [] })
      expect((await get('/v1/auth/me', max.cookie)).status).toBe(401)
    }
    expect(await cli('database', 'check')).toMatchObject({ code: 0 })
    // The audit log has the ids of the removed records.
    const removals = (await json('audit', 'list')).entries.filter(({ action }: AuditEntry) =>
      action.endsWith('.remove'),
    )
    expect(removals.map(({ userId, target }: AuditEntry) => userId ?? target)).toEqual([
      'team-acme',
      id,
      undefined,
      'user-ada',
    ])
  })
})

test('a person who is only on the waitlist is exported and removed', async () => {
  const { cli, json } = await seededDatabase()
  await cli('waitlist', 'add', 'grace@example.com')
  await cli('waitlist', 'add', 'not-grace@example.com')
  expect(await json('user', 'export', 'Grace@example.com')).toMatchObject({
    users: [],
    waitlist: [{ email: 'grace@example.com' }],
  })
  expect((await json('user', 'remove', 'grace@example.com', '--yes')).removed).toMatchObject({
    users: 0,
    waitlist: 1,
  })
  expect((await json('waitlist', 'list')).waitlist).toMatchObject([{ email: 'not-grace@example.com' }])
  const nobody = await cli('user', 'remove', 'grace@example.com', '--yes')
  expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('no user with the address')])
})

test('an empty address, as of an unset variable, does not match users without an address', async () => {
  const folder = emptyFolder()
  const { cli, json } = await seededDatabase(`${folder}/production.db`)
  const user = { email: '', givenName: '', familyName: '', picture: '', issuer: 'https://id.example' }
  const users = ['a', 'b'].map((subject) => ({ id: `user-${subject}`, subject, ...user }))
  writeFileSync(`${folder}/users.json`, JSON.stringify({ version: 1, users }))
  expect((await cli('seed', '--from', `${folder}/users.json`)).code).toBe(0)
  const before = await json('user', 'list')
  for (const key of ['', ' ']) {
    for (const args of [
      ['user', 'remove', key, '--yes'],
      ['user', 'export', key],
      ['session', 'revoke', '--all-of-user', key, '--yes'],
    ]) {
      const { code, stderr } = await cli(...args)
      expect([code, stderr], args.join(' ')).toEqual([2, expect.stringContaining('no user with the address')])
    }
  }
  expect(await json('user', 'list')).toEqual(before)
  expect((await json('user', 'remove', 'user-a', '--yes')).removed).toMatchObject({ users: 1 })
})
