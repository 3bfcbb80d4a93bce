import { compareWorkloads } from '../compare-workloads.js'
import { createDatabase, mapInSeries } from '../files.js'
import { expressSqlite } from '../peers.js'
import { production, productionUngrouped } from '../subjects.js'

/** Of one session at most 32 requests are under way: a load of 64 connections is that of several. */
export const teams = 10

export const writes = {
  title: 'Production: durable writes',
  async run({ folder, ...timing }) {
    const tables = await mapInSeries(['create', 'update', 'waitlist'], async (workload) => {
      const subjects = [
        expressSqlite(await createDatabase(folder, `${workload}-express`, { teams })),
        productionUngrouped(await createDatabase(folder, `${workload}-ungrouped`, { teams })),
        production(await createDatabase(folder, workload, { teams })),
      ]
      const kinds = [1, 32, 64, 256].map((connections) => ({ workload, connections }))
      return compareWorkloads(subjects, kinds, timing)
    })
    return tables.flat()
  },
}
