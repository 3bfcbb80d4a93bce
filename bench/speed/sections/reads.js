import { compareWorkloads } from '../compare-workloads.js'
import { createDatabase, writeResponses } from '../files.js'
import { expressSqlite } from '../peers.js'
import { fastifyFixed, httpFixed, production, withLog } from '../subjects.js'

export const reads = {
  title: 'Production: reads',
  async run({ folder, ...timing }) {
    const responses = writeResponses(folder)
    const subjects = [
      fastifyFixed(responses),
      httpFixed(responses),
      production(await createDatabase(folder, 'reads')),
      expressSqlite(await createDatabase(folder, 'reads-express')),
    ]
    const kinds = ['list', 'bundle'].flatMap((workload) =>
      [1, 32, 50, 256].map((connections) => ({ workload, connections })),
    )
    return compareWorkloads(subjects, kinds, timing)
  },
}

export const loggedReads = {
  title: 'Production: reads as shipped, with the request log',
  async run({ folder, ...timing }) {
    const subjects = [
      fastifyFixed(writeResponses(folder)),
      production(await createDatabase(folder, 'reads-logged')),
    ].map((subject) => withLog(subject, folder))
    const kinds = ['list', 'bundle'].map((workload) => ({ workload, connections: 50 }))
    return compareWorkloads(subjects, kinds, timing)
  },
}
