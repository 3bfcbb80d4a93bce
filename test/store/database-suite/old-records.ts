import { expect, test } from 'vitest'
import { auditEntry } from '../../../src/store/audit-entry.js'
import type { ProductionStore } from '../../../src/store/production-store.js'
import type { TestDatabase } from '../database-suite.js'
import { ids, session, user } from '../store-suite/records.js'

const hourMs = 60 * 60_000
/** A time relative to now. */
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString()
const auditMs = 24 * hourMs

/** Removes old records until none is left. */
async function removeAll(store: ProductionStore) {
  const total = { sessions: 0, auditEntries: 0 }
  for (;;) {
    const { sessions, auditEntries } = await store.removeOld({ auditMs })
    if (sessions + auditEntries === 0) return total
    total.sessions += sessions
    total.auditEntries += auditEntries
  }
}

export function testOldRecords({ openStore, run }: TestDatabase): void {
  test('are the expired sessions, revoked or not, and no others', async () => {
    const store = await openStore()
    await store.addUser(user('ada'))
    await store.addSession(session({ id: 'past', expiresAt: inHours(-1) }))
    await store.addSession(session({ id: 'revoked', expiresAt: inHours(-2), revokedAt: inHours(-3) }))
    await store.addSession(session({ id: 'later', expiresAt: inHours(1), revokedAt: inHours(-1) }))
    await store.addSession(session({ id: 'never' }))
    expect(await removeAll(store)).toEqual({ sessions: 2, auditEntries: 0 })
    expect(ids(await store.listSessions())).toEqual(['later', 'never'])
  })

  test('are removed some thousands at a time', async () => {
    const store = await openStore()
    const sessions = Array.from({ length: 2_001 }, (_, i) => session({ id: `s${i}`, expiresAt: inHours(-1) }))
    await store.load({ version: 1, teams: [], users: [user('ada')], sessions, projects: [], waitlist: [] })
    expect((await store.removeOld({ auditMs })).sessions).toBe(2_000)
    expect((await store.removeOld({ auditMs })).sessions).toBe(1)
  })

  test('are audit entries beyond an age; no statement by hand removes any', async () => {
    const store = await openStore()
    const entryAt = (at: string) => ({ ...auditEntry({ via: 'a test' }, { action: 'session.issue' }), at })
    for (const hours of [-49, -25, -23, 0]) await store.appendToAudit(entryAt(inHours(hours)))
    expect(await removeAll(store)).toEqual({ sessions: 0, auditEntries: 2 })
    expect(await store.countAudit({ action: 'session' })).toBe(2)
    await expect(run('DELETE FROM audit_log')).rejects.toThrow('the audit log is append-only')
    // The time never goes back.
    const [before] = await run<{ removed_before: string }>('SELECT removed_before FROM audit_retention')
    await store.removeOld({ auditMs: 10 * auditMs })
    expect(await run('SELECT removed_before FROM audit_retention')).toEqual([before])
  })
}
