import { expect, test } from 'vitest'
import type { Connection } from '../../../src/store/sqlite/connection.js'
import { updateProjects } from '../../../src/store/sqlite/update-projects.js'
import { state, teams } from '../store-suite/records.js'
import { acmeProject, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

test('a refused update reads nothing of the project of another team, which would take time', async () => {
  const store = await folder.openStore()
  await store.load(state({ teams, projects: [acmeProject('theirs')] }))
  const connection = await folder.openConnection()
  const read: unknown[] = []
  const steps: string[] = []
  const observed: Connection = {
    ...connection,
    async all(sql, ...values) {
      const plan = await connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
      steps.push(...plan.map(({ detail }) => detail).filter((detail) => / projects\b/.test(detail)))
      const rows = await connection.all(sql, ...values)
      read.push(...rows)
      return rows as never
    },
  }
  const limits = { projects: 9, bytes: 1_000 }
  const update = { teamId: 'globex', projectId: 'theirs', changes: { status: 'paused' }, limits }
  expect(await updateProjects.run(observed, [update])).toEqual([])
  expect(read).toEqual([])
  const byBoth = 'SEARCH projects USING INDEX projects_by_id_and_team (id=? AND team_id=?)'
  expect(steps).toEqual([byBoth, byBoth])
  expect(await updateProjects.run(observed, [{ ...update, teamId: 'acme' }])).toMatchObject([
    { id: 'theirs', status: 'paused' },
  ])
})
