import pg from 'pg'
import { vi } from 'vitest'
import type { ProductionStore } from '../../../src/store/production-store.js'
import { at, fullState, project, state, teams } from '../store-suite/records.js'

/** A statement that was sent. Without values it is a script. */
export type Statement = { name?: string; text: string; values?: unknown[] }

/** Returns the statements that this process sends to PostgreSQL while `work` runs, in order. */
export async function recordStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const { query } = pg.Client.prototype as unknown as { query(statement: Statement): Promise<unknown> }
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    statement: Statement,
  ) {
    statements.push({ ...statement })
    return query.call(this, statement)
  } as never)
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return statements
}

/** Calls every method about projects of an empty store. */
export async function callProjectMethods(store: ProductionStore): Promise<void> {
  const none = { projects: 0, bytes: 0 }
  const limits = { projects: 10, bytes: 10_000 }
  await store.load(fullState)
  await store.load(state({ teams, projects: [project({ id: 'p3' })] }))
  await store.addProject(project({ id: 'p4', name: 'Four', createdAt: at(5) }), limits, 'four')
  await store.addProject(project({ id: 'p5' }))
  await store.addProject(project({ id: 'p6' }), none)
  await store.updateProject(
    'acme',
    'p4',
    { name: 'Vier', description: 'ä', status: 'paused' },
    limits,
    'vier',
  )
  await store.updateProject('acme', 'p4', { description: 'too much' }, none)
  await store.updateProject('acme', 'p1', { name: 'of another team' })
  await store.listProjects('acme')
  await store.listProjectNames('acme')
  await store.teamSize('acme')
  await store.project('acme', 'p4')
  await store.caller('owner')
  await store.remove({ projects: [{ id: 'p4', teamId: 'acme' }] })
  await store.remove({ teams: ['globex'] })
  await store.describe()
  await store.export()
}
