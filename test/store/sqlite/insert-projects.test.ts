import { expect, test } from 'vitest'
import { newProject } from '../../../src/store/sql-projects.js'
import type { Connection } from '../../../src/store/sqlite/connection.js'
import { insertProjects } from '../../../src/store/sqlite/insert-projects.js'
import { state, teams } from '../store-suite/records.js'
import { acmeProject, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

test('a project is refused, not lost, if another process fills its team while it is judged', async () => {
  const store = await folder.openStore()
  await store.load(state({ teams, projects: [acmeProject('first')] }))
  const other = await folder.openStore()
  const connection = await folder.openConnection()
  let isFirst = true
  const interrupted: Connection = {
    ...connection,
    async all(sql, ...values) {
      const rows = await connection.all(sql, ...values)
      if (isFirst) await other.addProject(acmeProject('theirs'))
      isFirst = false
      return rows as never
    },
  }
  const limits = { projects: 2, bytes: 1_000 }
  const addition = (id: string) => newProject(acmeProject(id), limits, undefined)
  // Two do not fit, so they are judged; one would.
  const results = await insertProjects.run(interrupted, [addition('a'), addition('b')])
  expect(results).toEqual(['projects', 'projects'])
  expect((await store.listProjects('acme')).map(({ id }) => id).sort()).toEqual(['first', 'theirs'])
})
