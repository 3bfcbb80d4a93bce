import { startCommits } from '../background-commits.js'
import { compareWorkloads } from '../compare-workloads.js'
import { createDatabase, writeResponses } from '../files.js'
import { fastifyFixed, production } from '../subjects.js'

const teams = 50

export const concurrentCommits = {
  title: 'Production: reads of 50 teams while another process commits 20 times a second',
  async run({ folder, ...timing }) {
    const one = await createDatabase(folder, 'commits-one', { teams })
    const all = await createDatabase(folder, 'commits-all', { teams })
    const stops = [await startCommits({ ...one, teams, perCommit: 1 }), await startCommits({ ...all, teams })]
    try {
      const subjects = [
        fastifyFixed(writeResponses(folder)),
        production(one),
        { ...production(all), name: 'production, each commit changes all 50 teams' },
      ]
      const kinds = ['list', 'bundle'].map((workload) => ({ workload, connections: 50 }))
      return await compareWorkloads(subjects, kinds, { ...timing, data: '20 projects of each team' })
    } finally {
      for (const stop of stops) stop()
    }
  },
}
