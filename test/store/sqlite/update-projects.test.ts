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
  const observed: Connection = {
    ...connection,
    async all(sql, ...values) {
      const rows = await connection.all(sql, ...values)
      read.push(...rows)
      return rows as never
    },
  }
  const limits = { projects: 9, bytes: 1_000 }
  const update = { teamId: 'globex', projectId: 'theirs', changes: { status: 'paused' }, limits }
  expect(await updateProjects.run(observed, [update])).toEqual([])
  expect(read).toEqual([])
  expect(await updateProjects.run(observed, [{ ...update, teamId: 'acme' }])).toMatchObject([
    { id: 'theirs', status: 'paused' },
  ])
})
