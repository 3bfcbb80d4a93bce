import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../store/open-stores.js'
import { seededDatabase } from './seeded-database.js'

describe('dashboard-api team, user, project', () => {
  test('apply to a running server from the next request on', async () => {
    const { cli, json, issue, serve } = await seededDatabase()
    const call = await serve()
    const { cookie } = await issue('ada@acme.example', 'org_new')
    expect((await call('/v1/projects', cookie, { name: 'Early' })).status).toBe(403)

    const created = await cli('team', 'create', 'New', '--organization', 'org_new')
    expect(created).toMatchObject({ code: 0, stderr: 'Created the team New of org_new.\n' })
    const id = created.stdout.trim()
    expect(await (await call('/v1/auth/me', cookie)).json()).toMatchObject({ teamId: id })
    expect((await call('/v1/projects', cookie, { name: 'In time' })).status).toBe(201)

    const listed = await json('project', 'list', '--team', id)
    expect(listed).toMatchObject({ team: { id, name: 'New' }, projects: [{ name: 'In time', teamId: id }] })
    const renamed = await json('team', 'rename', 'org_new', 'Newer')
    expect(renamed).toEqual({ team: { id, name: 'Newer', orgCode: 'org_new' } })
    expect(await json('team', 'show', 'org_new')).toEqual({ ...renamed, projects: { active: 1 } })
    expect((await json('team', 'list')).teams[0]).toEqual(renamed.team)
  })

  test('print tab-separated lines in a pipe', async () => {
    const { cli, json } = await seededDatabase()
    const { stdout: teams } = await cli('team', 'list')
    expect(teams).toBe('Organisation\tName\tId\norg_globex\tGlobex\tteam-globex\norg_acme\tAcme\tteam-acme\n')
    const { stdout: team } = await cli('team', 'show', 'team-globex')
    expect(team).toMatch(/^Id\tteam-globex\nName\tGlobex\nOrganisation\torg_globex\nProjects\t\d.*\n$/)
    const { stdout: users } = await cli('user', 'list')
    expect(users).toMatch(/^Email\tName\tIssuer\tId\nada@acme\.example\tAda Osei\t\tuser-ada\n/)
    const { stdout: projects } = await cli('project', 'list', '--team', 'org_acme')
    expect(projects.split('\n')[0]).toBe('Name\tStatus\tCreated\tId\tDescription')
    const printed = await json('project', 'list', '--team', 'org_acme')
    expect(Object.keys(printed)).toEqual(['team', 'projects'])
    expect(printed.projects).toHaveLength(projects.trimEnd().split('\n').length - 1)
  })

  test('show a user with the sessions, by address or by id', async () => {
    const { json, issue } = await seededDatabase()
    const { session } = await issue('Ada@acme.example', 'org_acme')
    const shown = await json('user', 'show', 'ADA@acme.example')
    expect(shown).toMatchObject({ user: { id: 'user-ada' }, sessions: [{ id: session, state: 'open' }] })
    expect(await json('user', 'show', 'user-ada')).toEqual(shown)
    expect(await json('session', 'show', session)).toEqual({ session: shown.sessions[0] })
    expect((await json('user', 'list')).users).toHaveLength(6)
  })

  test('list each session with the address of its user, however many there are', async () => {
    const { database, json } = await seededDatabase()
    const store = await openSqliteStore(database)
    const users = ['user-ada', 'user-max', 'user-gus']
    const emails = await Promise.all(users.map(async (id) => (await store.user(id))?.email))
    const count = 250
    const sessions = Array.from({ length: count }, (_, i) => ({
      id: `ses_${i}`,
      userId: users[i % 3] as string,
      permissions: [],
    }))
    await store.load({ ...(await store.export()), sessions })
    await store.close()
    const listed = (await json('session', 'list')).sessions
    expect(listed).toHaveLength(count)
    for (const { id, email } of listed) expect(email).toBe(emails[Number(id.slice(4)) % 3])
  })

  test('refuse invalid arguments with a hint, and nothing on stdout', async () => {
    const { cli } = await seededDatabase()
    const refusals: [args: string[], message: RegExp][] = [
      [['team', 'show', 'org_none'], /no team with .* "org_none"\.\nhint: .*team list --database/],
      [['team', 'rename', 'org_none', 'X'], /no team with/],
      [['team', 'rename', 'org_acme', ''], /name of a team needs at least one character/],
      [['team', 'create', 'X', '--organization', ''], /organisation code of a team needs/],
      [['team', 'create', 'X', '--organization', 'org_acme'], /has a team already/],
      [['project', 'list', '--team', 'org_none'], /no team with/],
      [['user', 'show', 'nobody@example.com'], /no user with .*\nhint: .*user list --database/],
      [['session', 'show', 'ses_none'], /no session "ses_none"/],
      [['session', 'revoke'], /Give either the id of a session/],
      [['session', 'revoke', 'ses_1', '--all-of-user', 'user-ada'], /Give either the id of a session/],
      [['session', 'revoke', '--all-of-user', 'nobody'], /no user with/],
      [['session', 'revoke', '--all-of-user', '', '--yes'], /no user with/],
    ]
    for (const [args, message] of refusals) {
      const { code, stdout, stderr } = await cli(...args)
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
      expect(stderr).toMatch(message)
    }
  })
})

describe('dashboard-api session revoke --all-of-…', () => {
  test('revokes all sessions of a user or an organisation after a confirmation', async () => {
    const { cli, json, issue, serve } = await seededDatabase()
    const call = await serve()
    const status = async ({ cookie }: { cookie: string }) => (await call('/v1/auth/me', cookie)).status
    const ada = await issue('ada@acme.example', 'org_acme')
    const max = await issue('max@acme.example', 'org_acme')
    const gus = await issue('gus@globex.example', 'org_globex')

    const asked = await cli('session', 'revoke', '--all-of-organization', 'org_acme')
    expect(asked).toMatchObject({ code: 2, stdout: '' })
    expect(asked.stderr).toMatch(/^error: This revokes 2 sessions of org_acme at once\.\nhint: .*--yes/)
    expect(await status(ada)).toBe(200)

    const ofAda = await json('session', 'revoke', '--all-of-user', 'ADA@acme.example', '--yes')
    expect(ofAda).toEqual({ user: 'ADA@acme.example', revoked: 1 })
    expect([await status(ada), await status(max), await status(gus)]).toEqual([401, 200, 200])

    const ofAcme = await cli('session', 'revoke', '--all-of-organization', 'org_acme', '--yes')
    expect(ofAcme).toMatchObject({ code: 0, stdout: '1\n', stderr: 'Revoked 1 session of org_acme.\n' })
    expect([await status(max), await status(gus)]).toEqual([401, 200])
    // Without open sessions it does not ask.
    expect(await cli('session', 'revoke', '--all-of-organization', 'org_acme')).toMatchObject({
      code: 0,
      stdout: '0\n',
    })
  })
})

describe('an address that several users have', () => {
  test('is refused where a command needs one user; revoke revokes the sessions of all of them', async () => {
    const { database, cli, json, issue } = await seededDatabase()
    const store = await openSqliteStore(database)
    const twin = { email: 'ADA@acme.example', givenName: 'Ada', familyName: 'Two', picture: '' }
    await store.upsertUser({ issuer: 'https://id.example', subject: 'ada' }, { id: 'user-twin', ...twin })
    await store.addSession({ id: 'ses_twin', userId: 'user-twin', permissions: [] })
    await store.close()
    await issue('user-ada', 'org_acme')

    const address = 'ada@acme.example'
    for (const args of [
      ['user', 'show', address],
      ['session', 'issue', '--permissions', '', '--user', address],
      ['session', 'issue', '--permissions', '', '--create-user', '--user', address],
    ]) {
      const several = await cli(...args)
      expect(several).toMatchObject({ code: 2, stdout: '' })
      expect(several.stderr).toContain('hint: Give the id of one: user-ada, user-twin.')
    }
    expect(await json('user', 'show', 'user-twin')).toEqual({
      user: { id: 'user-twin', ...twin, issuer: 'https://id.example', subject: 'ada' },
      sessions: [expect.objectContaining({ id: 'ses_twin', state: 'open' })],
    })
    expect((await json('session', 'revoke', '--all-of-user', 'ada@acme.example', '--yes')).revoked).toBe(2)
  })
})

describe('--quiet', () => {
  test('prints only data and errors, before or after the command', async () => {
    const { cli } = await seededDatabase()
    const renamed = await cli('team', 'rename', 'org_acme', 'A', '--quiet')
    expect(renamed).toMatchObject({ code: 0, stdout: 'team-acme\n', stderr: '' })
    expect(await cli('-q', 'waitlist', 'add', 'ada@example.com')).toMatchObject({
      code: 0,
      stdout: 'ada@example.com\n',
      stderr: '',
    })
    expect((await cli('--quiet', 'team', 'show', 'none')).stderr).toMatch(/^error: .*\nhint: /)
  })
})
