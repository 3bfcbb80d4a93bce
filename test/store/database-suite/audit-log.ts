import { expect, test } from 'vitest'
import { nameKey } from '../../../src/contract/project-name.js'
import { auditEntry } from '../../../src/store/audit-entry.js'
import type { AuditEntry, Origin } from '../../../src/store/audit-log.js'
import type { Store } from '../../../src/store/store.js'
import type { TestDatabase } from '../database-suite.js'
import { at, fullState, session, state, teams, user } from '../store-suite/records.js'

const origin: Origin = {
  via: 'a command',
  operator: 'root',
  source: 'host',
  requestId: 'r1',
  details: { n: 1 },
}

const projectOf = (teamId: string) => ({
  ...(fullState.projects[0] as (typeof fullState.projects)[0]),
  teamId,
  description: null,
})

const logout = { issuer: 'https://id.example', key: 'k', expiresAt: at(20) }

type Change = (store: Store) => Promise<unknown>
const revoked = (userId: string, sessionId: string): Partial<AuditEntry> => ({
  action: 'session.revoke',
  userId,
  sessionId,
})
const created = (userId: string): Partial<AuditEntry> => ({ action: 'user.create', userId })
const counted = (action: AuditEntry['action'], counts: object): Partial<AuditEntry> => ({
  action,
  details: { n: 1, ...counts },
})
const newIdentity = { issuer: 'https://id.example', subject: 'new' }
const newEntry = { email: 'n@example.com', createdAt: at(0) }
const newSession = session({ id: 's', orgCode: 'org_acme', permissions: ['a', 'b'] })
const newProject = { ...projectOf('acme'), id: 'new', name: 'New' }
const several = {
  ...{ teams: ['globex', 'none'], users: ['ada', 'none'], waitlist: ['a@example.com'] },
  projects: [{ teamId: 'acme', id: 'p9' }],
}

/** Every recorded change, made to a store with the full state, and its entries. */
const changes: [name: string, change: Change, ...recorded: Partial<AuditEntry>[]][] = [
  [
    'addTeam',
    (store) => store.addTeam({ id: 't', name: 'T', orgCode: 'org_t' }),
    { action: 'team.create', target: 't' },
  ],
  ['renameTeam', (store) => store.renameTeam('acme', 'A'), { action: 'team.rename', target: 'acme' }],
  [
    'addProject',
    (store) => store.addProject(newProject),
    { ...counted('project.create', { fields: 'name' }), target: 'new' },
  ],
  [
    'updateProject',
    (store) => store.updateProject('acme', 'p2', { name: 'Renamed', status: 'paused' }),
    { ...counted('project.update', { fields: 'name status' }), target: 'p2' },
  ],
  ['addToWaitlist', (store) => store.addToWaitlist(newEntry), counted('waitlist.add', { waitlist: 1 })],
  ['addUser', (store) => store.addUser(user('u')), created('u')],
  ['upsertUser', (store) => store.upsertUser(newIdentity, user('u')), created('u')],
  [
    'addSession',
    (store) => store.addSession(newSession),
    {
      ...counted('session.issue', { permissions: 'a b' }),
      ...{ userId: 'ada', sessionId: 's', target: 'acme' },
    },
  ],
  ['revokeSession', (store) => store.revokeSession('viewer', at(9)), revoked('ada', 'viewer')],
  ['revokeSessionsOfUser', (store) => store.revokeSessionsOfUser('ada', at(9)), revoked('ada', 'viewer')],
  [
    'revokeSessionsOfOrganization',
    (store) => store.revokeSessionsOfOrganization('org_globex', at(9)),
    revoked('max', 'globex'),
  ],
  [
    'revokeSessionsOfProvider',
    (store) => store.revokeSessionsOfProvider({ ...logout, subject: 'sub|1' }, at(9)),
    revoked('ada', 'viewer'),
  ],
  [
    'load',
    (store) => store.load(state({ users: [user('u'), user('v')], waitlist: [newEntry] })),
    counted('data.load', { users: 2 }),
    counted('waitlist.add', { waitlist: 1 }),
  ],
  [
    'remove',
    (store) => store.remove(several),
    { action: 'team.remove', target: 'globex' },
    { action: 'user.remove', userId: 'ada' },
    { action: 'project.remove', target: 'p9' },
    counted('data.remove', { teams: 1, users: 1, sessions: 3, projects: 2 }),
    counted('waitlist.remove', { waitlist: 1 }),
  ],
  [
    'remove of one team',
    (store) => store.remove({ teams: ['globex'] }),
    { ...counted('team.remove', { teams: 1, sessions: 1, projects: 1 }), target: 'globex' },
  ],
]

/** Calls that change nothing, or fail. */
const ineffective: [name: string, change: Change][] = [
  ['addTeam', (store) => store.addTeam({ id: 't', name: 'T', orgCode: 'org_acme' })],
  ['addProject', (store) => store.addProject(newProject, undefined, nameKey(projectOf('acme').name))],
  ['updateProject', (store) => store.updateProject('globex', 'p2', { status: 'stolen' })],
  ['renameTeam', (store) => store.renameTeam('none', 'A')],
  ['addToWaitlist', (store) => store.addToWaitlist({ ...newEntry, email: 'a@example.com' })],
  ['addUser', (store) => store.addUser(user('ada'))],
  ['upsertUser', (store) => store.upsertUser({ ...newIdentity, subject: 'sub|1' }, user('u'))],
  ['addSession', (store) => store.addSession(session({ id: 's', userId: 'none' }))],
  ['revokeSession', (store) => store.revokeSession('owner', at(9))],
  ['revokeSessionsOfUser', (store) => store.revokeSessionsOfUser('none', at(9))],
  ['revokeSessionsOfOrganization', (store) => store.revokeSessionsOfOrganization('org_acme', at(9))],
  [
    'revokeSessionsOfProvider',
    (store) => store.revokeSessionsOfProvider({ ...logout, subject: 'none' }, at(9)),
  ],
  ['load', (store) => store.load(fullState)],
  [
    'load that fails',
    (store) =>
      store.load(state({ teams: [{ id: 't', name: 'T', orgCode: 'org_acme' }], users: [user('u')] })),
  ],
  ['remove', (store) => store.remove({ teams: ['none'], users: ['none'], waitlist: ['none@example.com'] })],
]

/** The entries without `database.create`, which only the first test of a database sees. */
const withoutCreation = (entries: AuditEntry[]) =>
  entries.filter(({ action }) => action !== 'database.create')

/** Selects the entries that a test appends itself. */
const ofTest = { until: at(59) }

export function testAuditLog({ openStore, run, attacks }: TestDatabase): void {
  /** A store with records, an audited store of the same database, and the reports of the audited one. */
  const open = async () => {
    const store = await openStore()
    await store.load({
      ...fullState,
      sessions: [...fullState.sessions, session({ id: 'globex', userId: 'max', orgCode: 'org_globex' })],
    })
    const reported: AuditEntry[] = []
    const audited = await openStore({ by: origin, onAudit: (entry) => reported.push(entry) })
    return { store, audited, reported }
  }
  const entryAt = (minute: number, values: Partial<AuditEntry> = {}): AuditEntry => ({
    ...auditEntry(origin, { action: 'session.issue' }),
    at: at(minute),
    ...values,
  })

  test('shows damaged details as they are, and every other entry', async () => {
    const { store } = await open()
    await store.appendToAudit(entryAt(1, { target: 'whole' }))
    await run(`INSERT INTO audit_log (id, at, action, outcome, via, details)
      VALUES ('damaged', '${at(2)}', 'session.issue', 'success', 'x', '{"n":')`)
    const [damaged, whole] = withoutCreation(await store.auditAfter(undefined, 3))
    expect([damaged?.details, whole?.target]).toEqual([{ unreadable: '{"n":' }, 'whole'])
  })

  test.each(changes)('has the change of %s, its actor and its source', async (_, change, ...recorded) => {
    const { store, audited, reported } = await open()
    const before = new Date().toISOString()
    await change(audited)
    const entries = withoutCreation(await store.auditAfter(undefined, 10))
    expect(reported).toHaveLength(recorded.length)
    expect(entries).toHaveLength(recorded.length)
    expect(entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(reported)
    for (const [i, { id, at, ...entry }] of reported.entries()) {
      expect(entry).toEqual({ ...origin, outcome: 'success', ...recorded[i] })
      expect(id).toMatch(/^[\da-f-]{36}$/)
      expect(at >= before && at <= new Date().toISOString()).toBe(true)
    }
  })

  test.each(changes)('has an entry for each change of %s', async (_, change) => {
    const { store, audited, reported } = await open()
    const before = await store.export()
    await run('ALTER TABLE audit_log RENAME TO audit_log_away')
    try {
      await expect(change(audited)).rejects.toThrow('audit_log')
    } finally {
      await run('ALTER TABLE audit_log_away RENAME TO audit_log')
    }
    expect(reported).toEqual([])
    expect(await store.export()).toStrictEqual(before)
  })

  test.each(ineffective)('has no entry of %s where it changes nothing', async (_, change) => {
    const { store, audited } = await open()
    const before = await store.export()
    await change(audited).catch(() => {})
    expect(withoutCreation(await store.auditAfter(undefined, 10))).toEqual([])
    expect((await store.export()).sessions).toEqual(before.sessions)
  })

  test('omits changes of projects, and nothing else, where that is set', async () => {
    await (await openStore()).load(fullState)
    const store = await openStore({ by: origin, auditProjects: false })
    await store.addProject({ ...projectOf('acme'), id: 'new', name: 'New' })
    await store.updateProject('acme', 'p2', { name: 'Renamed' })
    await store.renameTeam('acme', 'A')
    const entries = withoutCreation(await store.auditAfter(undefined, 10))
    expect(entries.map(({ action }) => action)).toEqual(['team.rename'])
  })

  test('has no entries of a store that is not audited', async () => {
    const { store } = await open()
    for (const [, change] of changes) await change(store).catch(() => {})
    expect(withoutCreation(await store.auditAfter(undefined, 10))).toEqual([])
  })

  test('distinguishes signing in and out from issuing and revoking a session', async () => {
    const { store } = await open()
    await store.addSession(session({ id: 's' }), { via: 'signInCallback' })
    await store.revokeSession('s', at(9), { via: 'signOut' })
    const entries = withoutCreation(await store.auditAfter(undefined, 10))
    expect(entries.map(({ action }) => action)).toEqual(['sign-out', 'sign-in'])
  })

  test('is listed in pages, newest first', async () => {
    const store = await openStore()
    const entries = [3, 1, 2, 2, 2, 0].map((minute) => entryAt(minute))
    for (const entry of entries) await store.appendToAudit(entry)
    const sorted = entries.toSorted((a, b) => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? 1 : -1))
    const listed: AuditEntry[] = []
    for (let page = await store.auditAfter(undefined, 2, ofTest); page.length > 0; ) {
      listed.push(...page)
      page = await store.auditAfter(page.at(-1), 2, ofTest)
    }
    expect(listed).toEqual(sorted)
    expect(await store.countAudit(ofTest)).toBe(6)
  })

  test('is filtered by time, actor, action, outcome and user', async () => {
    const store = await openStore()
    const entries = {
      root: entryAt(0),
      other: entryAt(1, { operator: 'other', userId: 'ada', action: 'session.revoke' }),
      ada: entryAt(2, { operator: undefined, userId: 'ada', action: 'sign-in' }),
      failed: entryAt(3, { operator: undefined, action: 'sign-in', outcome: 'failure', reason: 'nonce' }),
    }
    for (const entry of Object.values(entries)) await store.appendToAudit(entry)
    const found = async (filter: Parameters<typeof store.countAudit>[0]) => {
      const page = await store.auditAfter(undefined, 10, { ...ofTest, ...filter })
      expect(await store.countAudit({ ...ofTest, ...filter })).toBe(page.length)
      return page.map(({ at: time }) => Object.entries(entries).find(([, entry]) => entry.at === time)?.[0])
    }
    expect(await found({})).toEqual(['failed', 'ada', 'other', 'root'])
    expect(await found({ since: at(1), until: at(3) })).toEqual(['ada', 'other'])
    expect(await found({ actors: ['root'] })).toEqual(['root'])
    // The user whom a change concerns is not its actor.
    expect(await found({ actors: ['ada', 'root'] })).toEqual(['ada', 'root'])
    expect(await found({ actors: [] })).toEqual([])
    expect(await found({ userId: 'ada' })).toEqual(['ada', 'other'])
    expect(await found({ action: 'session' })).toEqual(['other', 'root'])
    expect(await found({ action: 'session.issue' })).toEqual(['root'])
    expect(await found({ action: 'sess' })).toEqual([])
    expect(await found({ action: 'sign-in' })).toEqual(['failed', 'ada'])
    expect(await found({ outcome: 'failure' })).toEqual(['failed'])
    expect(await found({ action: 'session', actors: ['root'], until: at(9) })).toEqual(['root'])
  })

  test('is not changed or emptied by any statement, not even without the time of retention', async () => {
    const store = await openStore()
    const entry = entryAt(0)
    await store.appendToAudit(entry)
    await run('DELETE FROM audit_retention')
    const statements = ["UPDATE audit_log SET operator = 'nobody'", 'DELETE FROM audit_log', ...attacks]
    for (const sql of statements)
      await expect(run(sql.replace('ID', entry.id).replace('TIME', entry.at)), sql).rejects.toThrow(
        'the audit log is append-only',
      )
    await run("INSERT INTO audit_retention (removed_before) VALUES ('')")
    await store.appendToAudit({ ...entry, outcome: 'failure' })
    expect(await store.auditAfter(undefined, 10, ofTest)).toEqual([entry])
  })

  test('contains no address, name or text of a record', async () => {
    const { audited } = await open()
    for (const [, change] of changes) await change(audited).catch(() => {})
    const text = JSON.stringify(await run('SELECT * FROM audit_log'))
    for (const word of ['@', 'Ada', 'Osei', 'Acme', 'Globex', 'org_', 'https:'])
      expect(text).not.toContain(word)
    expect(teams[0]?.name).toBe('Acme')
  })
}
