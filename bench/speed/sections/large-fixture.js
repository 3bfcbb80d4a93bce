import { compareWorkloads } from '../compare-workloads.js'
import { stateOf } from '../dataset.js'
import { writeJson } from '../files.js'
import { mock } from '../subjects.js'

export const largeFixture = {
  title: 'Mock: a large fixture',
  async run({ folder, ...timing }) {
    const subjects = [5, 500].map((teams) => {
      const name = `${(teams * 20).toLocaleString('en')} projects`
      return mock({ name, teams, fixtures: writeJson(folder, `state-${teams}`, stateOf({ teams })) })
    })
    const kinds = ['list', 'create'].map((workload) => ({ workload, connections: 32 }))
    return compareWorkloads(subjects, kinds, { ...timing, data: 'a team of 20 projects' })
  },
}
