import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { coreUse } from '../compare.js'
import { compareWorkloads } from '../compare-workloads.js'
import { createDatabase, mapInSeries } from '../files.js'
import { production, productionUngrouped } from '../subjects.js'

const source = new URL('../slow-fsync.c', import.meta.url).pathname
const delayMs = 2

/** Compiles the library that makes fsync slow. Returns its file. */
function compileSlowFsync(folder) {
  if (process.platform !== 'linux') throw new Error('slowing down fsync needs Linux')
  const library = join(folder, 'slow-fsync.so')
  const { status, stderr, error } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  if (status !== 0) throw new Error(`cc cannot compile slow-fsync.c: ${error?.message ?? stderr}`)
  return library
}

export const slowDisk = {
  title: `Production: durable writes on a slow disk (${delayMs} ms more for each fsync)`,
  async run({ folder, ...timing }) {
    const env = { LD_PRELOAD: compileSlowFsync(folder) }
    const tables = await mapInSeries(['create', 'waitlist'], async (workload) => {
      const subjects = [
        productionUngrouped({ ...(await createDatabase(folder, `slow-${workload}-ungrouped`)), env }),
        production({ ...(await createDatabase(folder, `slow-${workload}`)), env }),
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
