import pg from 'pg'
import { vi } from 'vitest'
import { auditEntry } from '../../../src/store/audit-entry.js'
import type { ProductionStore } from '../../../src/store/production-store.js'
import { at, fullState, project, session, state, teams, user } from '../store-suite/records.js'

/** A statement that a program sent, and what it got; without values it is a script. */
export type Statement = {
  name?: string
  text: string
  values?: unknown[]
  rowCount?: number
  rows?: unknown[]
}

/** Their rows are about the server, the time or the size, or tell which version the database has and had. */
const varies =
  /pg_current_snapshot|server_version|pg_is_in_recovery|dashboard_schema|pg_backend_pid|pg_total_relation_size|FROM audit_log/

/** Returns what this process sends to PostgreSQL while work runs, in order. */
export async function recordStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const { query } = pg.Client.prototype as unknown as {
    query(statement: Statement): Promise<{ rowCount: number; rows: unknown[] }>
  }
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
    this: pg.Client,
    statement: Statement,
  ) {
    const recorded: Statement = { ...statement }
    statements.push(recorded)
    const result = await query.call(this, statement)
    if (statement.values && !varies.test(statement.text)) {
      recorded.rowCount = result.rowCount
      recorded.rows = result.rows
    }
    return result
  } as never)
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return statements
}

/** Calls every method of a store, one after the other. The store is empty before. */
export async function callEveryMethod(store: ProductionStore): Promise<void> {
  const [acme, globex] = teams as [(typeof teams)[0], (typeof teams)[0]]
  const none = { projects: 0, bytes: 0 }
  const limits = { projects: 10, bytes: 10_000 }
  await store.load(fullState)
  await store.load(state({ teams, users: fullState.users, projects: [project({ id: 'p3' })] }))
  await store.addTeam({ id: 'initech', name: 'Initech', orgCode: 'org_initech' })
  await store.addTeam({ ...acme, id: 'second' })
  await store.renameTeam('initech', 'Initech Inc.')
  await store.teamOfOrganization(acme.orgCode)
  await store.team(globex.id)
  await store.listTeams()

  await store.addProject(project({ id: 'p4', name: 'Four', createdAt: at(5) }), limits)
  await store.addProject(project({ id: 'p5', createdAt: at(6) }))
  await store.addProject(project({ id: 'p6' }), none)
  await store.updateProject('acme', 'p4', { name: 'Vier', description: 'ä', status: 'paused' }, limits)
  await store.updateProject('acme', 'p4', { description: 'too much' }, none)
  await store.updateProject('acme', 'p1', { name: 'of another team' })
  await store.listProjects('acme')
  await store.listProjectNames('acme')
  await store.teamSize('acme')
  await store.project('acme', 'p4')

  await store.addToWaitlist({ email: 'a@example.com', createdAt: at(2) })
  await store.addToWaitlist({ email: 'b@example.com', createdAt: at(3) })
  await store.remove({ waitlist: ['z@example.com'] })
  await store.waitlistAfter(undefined, 10_000)
  await store.waitlistAfter(undefined, 1)
  await store.waitlistAfter({ email: 'b@example.com', createdAt: at(3) }, 1, { search: 'a', since: at(0) })
  await store.countWaitlist({ until: at(3) })

  await store.addUser(user('grace'))
  await store.upsertUser({ issuer: 'https://id.example', subject: 'sub|1' }, user('other', 'new@example.com'))
  await store.upsertUser({ issuer: 'https://id.example', subject: 'sub|2' }, user('linus'))
  await store.user('grace')
  await store.usersWithEmail('NEW@example.com')
  await store.usersWithEmail('max@example.com')
  await store.usersAfter('ada', 2)

  for (const id of ['s1', 's2', 's3', 's4']) {
    await store.addSession(session({ id, orgCode: 'org_acme', createdAt: at(1), expiresAt: at(30) }))
  }
  await store.touchSession('s1', at(2))
  await store.revokeSession('s1', at(3))
  await store.session('s1')
  await store.caller('s2')
  await store.countOpenSessions(at(3))
  await store.revokeSessionsOfOrganization('org_globex', at(4))
  await store.revokeSessionsOfUser('ada', at(5))
  const logout = { issuer: 'https://id.example', expiresAt: at(20) }
  await store.revokeSessionsOfProvider({ ...logout, key: '1', subject: 'sub|1', sid: 'sid-1' }, at(6))
  await store.revokeSessionsOfProvider({ ...logout, key: '2', subject: 'sub|1' }, at(6))
  await store.revokeSessionsOfProvider({ ...logout, key: '2', sid: 'sid-1' }, at(6))
  await store.listSessions()
  await store.removeOld({ auditMs: 60_000 })

  // What it removes it has added: the export at the end is that of earlier versions, which could not.
  await store.addTeam({ id: 'gone', name: 'Gone', orgCode: 'org_gone' })
  await store.addProject(project({ id: 'gone', teamId: 'gone' }))
  await store.addUser(user('gone'))
  await store.addSession(session({ id: 'gone', userId: 'gone', orgCode: 'org_gone' }))
  const projects = [{ id: 'gone', teamId: 'acme' }]
  await store.remove({ teams: ['gone'], users: ['gone'], waitlist: ['gone@example.com'], projects })
  await store.describe()

  const origin = { via: 'a command', operator: 'root', source: 'host' }
  await store.addTeam({ id: 'gone', name: 'Gone', orgCode: 'org_gone' }, origin)
  await store.remove({ teams: ['gone'] }, origin)
  await store.appendToAudit(auditEntry(origin, { action: 'database.vacuum' }))
  await store.auditAfter(undefined, 2, { actors: ['root'] })
  await store.countAudit()
  await store.databaseTime()
  await store.probe()
  await store.export()
  await store.close()
}
