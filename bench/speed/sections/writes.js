import { databaseIn, each } from '../files.js'
import { expressSqlite } from '../peers.js'
import { production, ungrouped } from '../subjects.js'
import { inTables } from '../tables.js'

export const writes = {
  title: 'Production, durable writes',
  async run({ folder, ...pace }) {
    const tables = await each(['create', 'update', 'waitlist'], async (work) => {
      const subjects = [
        expressSqlite(await databaseIn(folder, `${work}-express`)),
        ungrouped(await databaseIn(folder, `${work}-ungrouped`)),
        production(await databaseIn(folder, work)),
      ]
      const kinds = [1, 32, 64, 256].map((connections) => ({ work, connections }))
      return inTables(subjects, kinds, pace)
    })
    return tables.flat()
  },
}
