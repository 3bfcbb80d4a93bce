import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAuditTrail } from '../../../src/server/observability/audit-trail.js'
import type { AuditEntry } from '../../../src/store/audit-log.js'
import { withConnection } from '../../../src/store/sqlite/connection.js'
import { createBrowser } from '../../oidc/browser.js'
import { confirmSignOut, signInAs } from '../../oidc/sign-in-flow.js'
import { openSqliteStore } from '../../store/open-stores.js'
import { demo } from '../server-harness.js'
import { fromPage, open, prepareProvider, provider, service } from '../sign-in/provider-for-tests.js'

prepareProvider()

/** A service over a SQLite file, with an audit log. */
async function openAudited() {
  const folder = await mkdtemp(join(tmpdir(), 'audit-'))
  const file = join(folder, 'store.db')
  const store = await openSqliteStore(file, {
    onAudit: (entry) => service.app.log.info({ audit: entry }, 'audit'),
  })
  await store.load(demo())
  const errors: unknown[] = []
  const trail = createAuditTrail(store, (error) => errors.push(error))
  await open(provider, { store, onSignIn: trail.onSignIn, provisionTeams: true })
  onTestFinished(async () => {
    await trail.close()
    await store.close()
    await rm(folder, { recursive: true })
  })
  const entries = async () =>
    (await store.auditAfter(undefined, 1000)).filter(({ via }) => via.startsWith('sign')).reverse()
  /** The audit entries in the log, by id. */
  const logged = () =>
    service.lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'audit')
      .map(({ audit }) => audit as AuditEntry)
  const exec = (sql: string) => withConnection(file, 'write', 1000, (connection) => connection.exec(sql))
  return { store, trail, entries, logged, exec, errors }
}

describe('the audit log of a server', () => {
  it('has sign-ins and sign-outs with user and address, and the sessions that began and ended', async () => {
    const { store, entries, logged } = await openAudited()
    provider.accounts.ada = { ...provider.accounts.ada, email: 'ada@id.example', org_code: 'org_new' }
    const { browser } = await signInAs('ada', service, provider)
    await signInAs('ada', service, provider, { browser })
    await browser.request(`${service.url}/auth/sign-out`, fromPage)
    const sessions = await store.listSessions()
    const [first, second] = sessions.slice(-2).map(({ id }) => id)
    const { userId } = sessions.at(-1) ?? {}
    const team = await store.teamOfOrganization('org_new')
    const signedIn = { via: 'signInCallback', source: '127.0.0.1', outcome: 'success' }
    const session = { userId, target: team?.id, details: { permissions: 'create:projects' } }
    const expected = [
      { ...signedIn, action: 'user.create', userId },
      { ...signedIn, action: 'team.create', target: team?.id },
      { ...signedIn, ...session, action: 'sign-in', sessionId: first },
      { ...signedIn, ...session, action: 'sign-in', sessionId: second },
      { ...signedIn, action: 'session.revoke', userId, sessionId: first },
      { ...signedIn, via: 'signOut', action: 'sign-out', userId, sessionId: second },
    ]
    expect((await entries()).map(({ id, at, requestId, ...entry }) => entry)).toEqual(expected)
    expect(logged()).toEqual(await entries())
    // The id of a request connects an entry with the other lines of the log.
    const ids = service.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    for (const { requestId, via } of await entries()) {
      expect(ids).toContainEqual(expect.objectContaining({ requestId, operation: via }))
    }
    const text = JSON.stringify(await entries())
    for (const secret of ['@', 'session.ey', 'Osei', 'org_new', 'code=', 'state='])
      expect(text).not.toContain(secret)
  })

  it('has a sign-out at the provider, which ends the session here', async () => {
    const { store } = await openAudited()
    const { browser } = await signInAs('ada', service, provider)
    const { id: sessionId, userId } = (await store.listSessions()).at(-1) ?? {}
    await confirmSignOut(browser, `${provider.issuer}/session/end`)
    const [entry] = await store.auditAfter(undefined, 1)
    const via = 'backChannelLogout'
    expect(entry).toMatchObject({ action: 'sign-out', via, source: '127.0.0.1', userId, sessionId })
  })

  it('has who created a project, in which session', async () => {
    const { store } = await openAudited()
    const { browser } = await signInAs('ada', service, provider)
    const { id: sessionId, userId } = (await store.listSessions()).at(-1) ?? {}
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'New' })
    const response = await browser.request(`${service.url}/v1/projects`, { method: 'POST', headers, body })
    expect(response.status).toBe(201)
    const [entry] = await store.auditAfter(undefined, 1)
    const via = 'createProject'
    expect(entry).toMatchObject({ action: 'project.create', via, source: '127.0.0.1', userId, sessionId })
  })

  it('has a failed sign-in with its reason', async () => {
    const { trail, entries, logged } = await openAudited()
    await createBrowser().request(`${service.url}/auth/callback?code=SECRET&state=SECRET`)
    await trail.close()
    const [entry, ...others] = await entries()
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      action: 'sign-in',
      outcome: 'failure',
      reason: 'the browser sent no valid cookie of this sign-in',
      details: { fault: 'unfinished' },
      via: 'signInCallback',
      source: '127.0.0.1',
    })
    expect(logged()).toEqual([entry])
    expect(JSON.stringify(entry)).not.toContain('SECRET')
  })

  it('does not delay or change the response to a failed sign-in', async () => {
    const { trail, exec, errors } = await openAudited()
    await exec('ALTER TABLE audit_log RENAME TO audit_log_away')
    const response = await createBrowser().request(`${service.url}/auth/callback`)
    expect(response.status).toBe(400)
    await trail.close()
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('audit_log') })])
  })

  it('has an entry of each session: without it, no session is issued', async () => {
    const { store, exec } = await openAudited()
    await signInAs('ada', service, provider)
    const before = await store.listSessions()
    await exec('ALTER TABLE audit_log RENAME TO audit_log_away')
    const { response } = await signInAs('ada', service, provider)
    expect(response.status).toBe(500)
    expect(await store.listSessions()).toEqual(before)
  })
})
