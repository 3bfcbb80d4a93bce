// The sections that only compare servers under workloads.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { compileLibrary } from '../../compile-library.js'
import { startCommits } from '../background-commits.js'
import { compareWorkloads, coreUse } from '../compare.js'
import { stateOf } from '../dataset.js'
import { createFiles, mapInSeries } from '../files.js'
import {
  expressSqlite,
  fastifyFixed,
  floor,
  httpFixed,
  otherMocks,
  mock as ourMock,
  production,
  productionUngrouped,
  withLog,
} from '../subjects.js'
import { labels } from '../workloads.js'

export const reads = {
  title: 'Production: reads',
  async run({ files, ...timing }) {
    const subjects = [
      fastifyFixed(files.responses),
      httpFixed(files.responses),
      production(await files.database()),
      expressSqlite(await files.database()),
    ]
    return compareWorkloads(['list', 'bundle'], [1, 32, 50, 256], () => subjects, timing)
  },
}

export const loggedReads = {
  title: 'Production: reads as shipped, with the request log',
  async run({ files, ...timing }) {
    const subjects = [fastifyFixed(files.responses), production(await files.database())]
    const logged = subjects.map((subject) => withLog(subject, files.log))
    return compareWorkloads(['list', 'bundle'], [50], () => logged, timing)
  },
}

export const concurrentCommits = {
  title: 'Production: reads of 50 teams while another process commits 20 times a second',
  async run({ files, ...timing }) {
    const teams = 50
    const [one, all] = [await files.database({ teams }), await files.database({ teams })]
    const stops = [await startCommits({ ...one, teams, perCommit: 1 }), await startCommits({ ...all, teams })]
    const subjects = [
      fastifyFixed(files.responses),
      production(one),
      production({ ...all, name: 'production, each commit changes all 50 teams' }),
    ]
    const options = { ...timing, data: '20 projects of each team' }
    try {
      return await compareWorkloads(['list', 'bundle'], [50], () => subjects, options)
    } finally {
      for (const stop of stops) stop()
    }
  },
}

/** A session may have 32 requests in flight, so that 64 connections need several teams. */
const size = { teams: 10 }

export const writes = {
  title: 'Production: durable writes',
  async run({ files, ...timing }) {
    const newSubjects = async () => [
      expressSqlite(await files.database(size)),
      productionUngrouped(await files.database(size)),
      production(await files.database(size)),
    ]
    return compareWorkloads(['create', 'update', 'waitlist'], [1, 32, 64, 256], newSubjects, timing)
  },
}

/** As in `slow-fsync.c`. */
const fsyncMs = 1
const slowFsync = new URL('../slow-fsync.c', import.meta.url).pathname

/** A disk in memory, which has no work with an fsync. Linux has one. */
const memoryDisk = '/dev/shm'

export const givenFsync = {
  title: `Production: durable writes where an fsync takes ${fsyncMs} ms, on a disk in memory`,
  run: async ({ files: { folder }, ...timing }) => {
    const env = { LD_PRELOAD: compileLibrary(slowFsync, folder) }
    const onMemoryDisk = mkdtempSync(join(memoryDisk, 'dashboard-api-bench-'))
    try {
      const files = createFiles(onMemoryDisk)
      const newSubjects = async (workload) => {
        const create = workload === 'create' ? [floor] : []
        const makers = [expressSqlite, productionUngrouped, production, ...create]
        return mapInSeries(makers, async (make) => {
          const subject = make(await files.database(size))
          return { ...subject, env: { ...subject.env, ...env } }
        })
      }
      const tables = await compareWorkloads(['create', 'waitlist'], [1, 64], newSubjects, timing)
      const fastest = Math.min(...tables.flatMap(({ rows }) => rows.map(({ p50 }) => p50)))
      if (fastest < fsyncMs) throw new Error(`fsync is not slow: a write took ${fastest.toFixed(2)} ms`)
      const withCore = (row) => ({ ...row, core: coreUse(row.runs) })
      return tables.map((table) => ({ ...table, rows: table.rows.map(withCore) }))
    } finally {
      rmSync(onMemoryDisk, { recursive: true, force: true })
    }
  },
}

export const mock = {
  title: 'Mock: over HTTP',
  async run({ files, ...timing }) {
    const fixtures = files.json(stateOf({ teams: 50 }))
    const newSubjects = () => [ourMock({ fixtures, teams: 50 }), ...otherMocks(files)]
    // Fewer than elsewhere: json-server writes all records for each create.
    const warmUpRequests = 2000
    return compareWorkloads(Object.keys(labels), [1, 32, 256], newSubjects, { ...timing, warmUpRequests })
  },
}

export const largeFixture = {
  title: 'Mock: a large fixture',
  async run({ files, ...timing }) {
    const subjects = [5, 500].map((teams) => {
      const name = `${(teams * 20).toLocaleString('en')} projects`
      return ourMock({ name, teams, fixtures: files.json(stateOf({ teams })) })
    })
    const options = { ...timing, data: 'a team of 20 projects' }
    return compareWorkloads(['list', 'create'], [32], () => subjects, options)
  },
}
