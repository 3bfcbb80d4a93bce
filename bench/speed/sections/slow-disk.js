import { coreUse } from '../compare.js'
import { compareWorkloads } from '../compare-workloads.js'
import { createDatabase, mapInSeries } from '../files.js'
import { compileSlowFsync, delayMs } from '../slow-fsync.js'
import { production, productionUngrouped } from '../subjects.js'
import { teams } from './writes.js'

export const slowDisk = {
  title: `Production: durable writes on a slow disk (${delayMs} ms more for each fsync)`,
  async run({ folder, ...timing }) {
    const env = { LD_PRELOAD: compileSlowFsync(folder) }
    const tables = await mapInSeries(['create', 'waitlist'], async (workload) => {
      const subjects = [
        productionUngrouped({
          ...(await createDatabase(folder, `slow-${workload}-ungrouped`, { teams })),
          env,
        }),
        production({ ...(await createDatabase(folder, `slow-${workload}`, { teams })), env }),
      ]
      const kinds = [1, 64].map((connections) => ({ workload, connections }))
      const compared = await compareWorkloads(subjects, kinds, timing)
      return compared.map((table) => ({
        ...table,
        rows: table.rows.map((row) => ({ ...row, core: coreUse(row.runs) })),
      }))
    })
    const fastest = Math.min(...tables.flat().flatMap(({ rows }) => rows.map(({ p50 }) => p50)))
    if (fastest < delayMs) throw new Error(`fsync is not slow: a write took ${fastest.toFixed(2)} ms`)
    return tables.flat()
  },
}
