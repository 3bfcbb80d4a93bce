import { compareWorkloads } from '../compare-workloads.js'
import { createDatabase, mapInSeries } from '../files.js'
import { expressSqlite } from '../peers.js'
import { production, productionUngrouped } from '../subjects.js'

export const writes = {
  title: 'Production: durable writes',
  async run({ folder, ...timing }) {
    const tables = await mapInSeries(['create', 'update', 'waitlist'], async (workload) => {
      const subjects = [
        expressSqlite(await createDatabase(folder, `${workload}-express`)),
        productionUngrouped(await createDatabase(folder, `${workload}-ungrouped`)),
        production(await createDatabase(folder, workload)),
      ]
      const kinds = [1, 32, 64, 256].map((connections) => ({ workload, connections }))
      return compareWorkloads(subjects, kinds, timing)
    })
    return tables.flat()
  },
}
