import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseDatabaseAddress } from '../../../src/store/database-address.js'
import { openStore } from '../../../src/store/open/open-store.js'
import { parseState, type State } from '../../../src/store/state-file.js'
import { emptyFolder, listening, run, start } from '../cli-process.js'
import { databases } from '../production/databases.js'

const at = (minute: number) => `2026-03-01T12:0${minute}:00.000Z`
const grant = { orgCode: 'org_acme', createdAt: at(0), expiresAt: at(5) }
const both = ['create:projects', 'update:projects']

/** Two teams. At Acme, Ada has had three sessions, and Vera one, which was revoked. */
const production: State = {
  version: 1,
  teams: [
    { id: 'team-acme', name: 'Acme Rockets', orgCode: 'org_acme' },
    { id: 'team-globex', name: 'Globex', orgCode: 'org_globex' },
  ],
  users: ['Ada', 'Vera', 'Gus'].map((givenName) => ({
    ...{
      id: `user-${givenName}`,
      email: `${givenName.toLowerCase()}@customer.example`,
      givenName,
      familyName: 'Osei',
    },
    ...{
      picture: 'https://avatars.example/face.png',
      issuer: 'https://issuer.example',
      subject: `sub|${givenName}`,
    },
  })),
  sessions: [
    { ...grant, id: 'ses_first', userId: 'user-Ada', permissions: both, sid: 'sid-first' },
    { ...grant, id: 'ses_second', userId: 'user-Ada', permissions: both.toReversed(), lastSeenAt: at(2) },
    { ...grant, id: 'ses_third', userId: 'user-Ada', permissions: ['create:projects'] },
    { ...grant, id: 'ses_fourth', userId: 'user-Vera', permissions: [], revokedAt: at(3) },
    { ...grant, id: 'ses_other', userId: 'user-Gus', permissions: both, orgCode: 'org_globex' },
  ],
  projects: ['Apollo', 'APOLLO', 'Straße', 'Gemini'].map((name, i) => ({
    ...{
      id: `project-${i}`,
      name,
      description: i ? `About ${name}` : null,
      status: i ? 'active' : 'Waiting for Bob',
    },
    ...{ teamId: i < 3 ? 'team-acme' : 'team-globex', createdAt: at(i) },
  })),
  waitlist: [{ email: 'grace@example.com', createdAt: at(0) }],
}

const load = async (database: string) => {
  const address = parseDatabaseAddress(database)
  if (!address) throw new Error(`${database} is no address`)
  const store = await openStore(address)
  await store.load(production)
  await store.close()
}

describe.each(Object.entries(databases))('state from-database, over %s', (_, { reason, make }) => {
  test.skipIf(reason)(
    'prints one team as a fixture, with a persona for each set of permissions',
    async () => {
      const database = await make()
      await load(database)
      const env = { DASHBOARD_API_DATABASE: database }
      const from = (...args: string[]) => run(['state', 'from-database', ...args], { env })

      const plain = await from('--team', 'org_acme')
      expect(plain).toMatchObject({ code: 0, stderr: expect.stringContaining('--anonymize replaces them') })
      const fixture = JSON.parse(plain.stdout)
      expect(parseState(fixture)).toEqual(fixture)
      expect(fixture).toMatchObject({
        teams: [production.teams[0]],
        users: [{ email: 'ada@customer.example' }, { email: 'vera@customer.example' }],
        projects: [{ name: 'Straße' }, { name: 'APOLLO' }, { name: 'Apollo', status: 'Waiting for Bob' }],
        waitlist: [],
      })
      const persona = { orgCode: 'org_acme', createdAt: at(0), note: expect.any(String) }
      expect(fixture.sessions).toEqual([
        {
          ...{ ...persona, id: 'editor-1', userId: 'user-Ada' },
          ...{ permissions: both.toReversed(), lastSeenAt: at(2) },
        },
        { ...persona, id: 'creator-1', userId: 'user-Ada', permissions: ['create:projects'] },
        { ...persona, id: 'viewer-1', userId: 'user-Vera', permissions: [] },
      ])
      for (const secret of ['ses_', 'sid', 'issuer', 'sub|']) expect(plain.stdout).not.toContain(secret)

      const random = await from('--team', 'team-acme', '--anonymize')
      expect(random).toMatchObject({ code: 0, stderr: expect.stringContaining('a random one') })
      const { users, teams, projects } = fixture as State
      const originals = [...users, ...teams, ...projects]
        .flatMap(({ createdAt, status, ...values }: Record<string, string | null>) => Object.values(values))
        .filter((value) => value !== null && value.length > 3)
      expect(originals.length).toBeGreaterThan(20)
      for (const value of ['Waiting for Bob', ...originals]) {
        expect(random.stdout).not.toContain(JSON.stringify(value))
      }
    },
  )
})

test('state from-database makes the same fixture with the same secret, and the mock accepts it', async () => {
  const folder = emptyFolder()
  const database = `${folder}/production.db`
  await load(database)
  const secret = `${folder}/secret`
  writeFileSync(secret, 'a secret of the tests, at least 32 bytes\n')
  const file = `${folder}/fixture.json`
  const args = ['--database', database, '--team', 'org_acme', '--anonymize', '--secret-file', secret]
  const [printed, written] = await Promise.all([
    run(['state', 'from-database', ...args]),
    run(['state', 'from-database', ...args, '--output', file]),
  ])
  expect(written).toMatchObject({
    code: 0,
    stdout: '',
    stderr: `Wrote ${file}.\nThe fixture has 3 projects and 3 personas.\n`,
  })
  expect(readFileSync(file, 'utf8')).toBe(printed.stdout)
  const made = JSON.parse(printed.stdout)

  const url = await listening(start(['dev', '--port', '0', '--json', '--fixtures', file], { cwd: folder }))
  const response = await fetch(`${url}/v1/projects`, { headers: { cookie: 'session=viewer-1' } })
  const listed = (await response.json()) as { projects: { name: string; createdAt: string }[] }
  expect(listed).toEqual({ projects: made.projects })
  expect(listed.projects.map(({ createdAt }) => createdAt)).toEqual([at(2), at(1), at(0)])
  const [, upper, lower] = listed.projects.map(({ name }) => name)
  expect(upper).not.toBe(lower)
  expect(upper?.toLowerCase()).toBe(lower?.toLowerCase())
  expect(await run(['state', 'load', file, '--url', url])).toMatchObject({ code: 0 })
})

test('state from-database makes personas of seeded users, so that a developer can sign in', async () => {
  const folder = emptyFolder()
  const env = { DASHBOARD_API_DATABASE: `${folder}/seeded.db` }
  const fixtureOf = async (team: string) => {
    const { code, stdout } = await run(['state', 'from-database', '--team', team], { env })
    expect(code).toBe(0)
    return parseState(JSON.parse(stdout))
  }
  for (const seed of [['--demo'], ['--teams', '2', '--users', '3', '--seed', '7', '--yes']]) {
    expect(await run(['seed', ...seed], { env })).toMatchObject({ code: 0 })
  }
  const generated = await fixtureOf('org_s7_2')
  const domains = generated.users.map(({ email }) => email.split('@')[1])
  expect(domains).toEqual(Array(3).fill('team2.s7.example'))

  const demo = await fixtureOf('org_acme')
  expect(demo.users.map(({ id }) => id)).toContain('user-ada')
  const file = `${folder}/fixture.json`
  writeFileSync(file, JSON.stringify(demo))
  const url = await listening(start(['dev', '--port', '0', '--json', '--fixtures', file], { cwd: folder }))
  const create = async (session: string) => {
    const headers = { cookie: `session=${session}`, 'content-type': 'application/json' }
    return (await fetch(`${url}/v1/projects`, { method: 'POST', headers, body: '{"name":"New"}' })).status
  }
  expect([await create('editor-1'), await create('viewer-1')]).toEqual([201, 403])
})

test('state from-database makes no personas of users of an identity provider, or of another organisation', async () => {
  const database = `${emptyFolder()}/production.db`
  await load(database)
  const store = await openStore({ kind: 'sqlite', name: database, file: database })
  await store.addTeam({ id: 'team-new', name: 'New', orgCode: 'org_new' })
  await store.addUser({ id: 'user-Zoe', email: 'z@x.example', givenName: '', familyName: '', picture: '' })
  await store.close()
  const args = ['state', 'from-database', '--database', database, '--team', 'org_new']
  const { users } = JSON.parse((await run(args)).stdout) as State
  expect(users.map(({ id }) => id)).toEqual(['user-Zoe'])
})

describe('state from-database refuses', () => {
  test('invalid arguments, with a hint', async () => {
    const folder = emptyFolder()
    const database = `${folder}/production.db`
    await load(database)
    writeFileSync(`${folder}/short`, 'short\n')
    const from = (...args: string[]) => run(['state', 'from-database', ...args], { cwd: folder })
    const here = ['--database', database]
    const acme = [...here, '--team', 'org_acme']
    const refusals = await Promise.all([
      from(...here),
      from('--team', 'org_acme', '--database', `${folder}/none.db`),
      from(...here, '--team', 'org_none'),
      from(...acme, '--secret-file', `${folder}/short`),
      from(...acme, '--anonymize', '--secret-file', `${folder}/short`),
      from(...acme, '--anonymize', '--secret-file', `${folder}/none`),
      from(...acme, '--output', `${folder}/none/fixture.json`),
    ])
    expect(refusals.map(({ code, stdout }) => [code, stdout])).toEqual(refusals.map(() => [2, '']))
    const messages = [
      /--team <team>/,
      /no database at .*\nhint: .*create one/i,
      /no team with the organisation code or the id "org_none".*\nhint: .*team list/,
      /fewer than 32 bytes/,
      /fewer than 32 bytes.*\nhint: Make one with: openssl/,
      /no such file.*\nhint: Make one with: openssl/,
      /no such folder/,
    ]
    for (const [i, { stderr }] of refusals.entries()) expect(stderr).toMatch(messages[i] ?? /never/)
  })

  test('no organisation without sessions, but reports that there is no persona', async () => {
    const database = `${emptyFolder()}/production.db`
    await run(['team', 'create', 'Initech', '--organization', 'org_initech', '--database', database])
    const { code, stdout, stderr } = await run([
      ...['state', 'from-database', '--anonymize', '--database', database, '--team', 'org_initech'],
    ])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ users: [], sessions: [] })
    expect(stderr).toContain('No session with the organisation is stored')
  })
})
