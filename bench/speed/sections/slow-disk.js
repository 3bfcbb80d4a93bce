import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { busyIn } from '../compare.js'
import { databaseIn, each } from '../files.js'
import { production, ungrouped } from '../subjects.js'
import { inTables } from '../tables.js'

const source = new URL('../slow-fsync.c', import.meta.url).pathname
const delayMs = 2

/** Compiles what makes fsync slow. */
function compile(folder) {
  if (process.platform !== 'linux') throw new Error('making fsync slow takes Linux')
  const library = join(folder, 'slow-fsync.so')
  const { status, stderr, error } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  if (status !== 0) throw new Error(`cc does not compile slow-fsync.c: ${error?.message ?? stderr}`)
  return library
}

export const slowDisk = {
  title: `Production, durable writes on a slow disk: ${delayMs} ms more for each fsync`,
  async run({ folder, ...pace }) {
    const env = { LD_PRELOAD: compile(folder) }
    const tables = await each(['create', 'waitlist'], async (work) => {
      const subjects = [
        ungrouped({ ...(await databaseIn(folder, `slow-${work}-ungrouped`)), env }),
        production({ ...(await databaseIn(folder, `slow-${work}`)), env }),
      ]
      const kinds = [1, 64].map((connections) => ({ work, connections }))
      const made = await inTables(subjects, kinds, pace)
      return made.map((table) => ({
        ...table,
        rows: table.rows.map((row) => ({ ...row, busy: busyIn(row.runs) })),
      }))
    })
    const fastest = Math.min(...tables.flat().flatMap(({ rows }) => rows.map(({ p50 }) => p50)))
    if (fastest < delayMs) throw new Error(`fsync is not slow: a write took ${fastest.toFixed(2)} ms`)
    return tables.flat()
  },
}
