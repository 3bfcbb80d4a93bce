import { write } from '../files.js'
import { mock } from '../subjects.js'
import { inTables } from '../tables.js'
import { stateOf } from '../world.js'

export const fixture = {
  title: 'The mock, with a large fixture',
  async run({ folder, ...pace }) {
    const subjects = [5, 500].map((teams) => {
      const name = `${(teams * 20).toLocaleString('en')} projects`
      return mock({ name, fixtures: write(folder, `state-${teams}`, stateOf({ teams })) })
    })
    const kinds = ['list', 'create'].map((work) => ({ work, connections: 32 }))
    return inTables(subjects, kinds, { ...pace, of: 'a team of 20 projects' })
  },
}
