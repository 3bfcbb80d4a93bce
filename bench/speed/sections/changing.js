import { committing } from '../committing.js'
import { answersIn, databaseIn } from '../files.js'
import { fastifyString, production } from '../subjects.js'
import { inTables } from '../tables.js'

const teams = 50

export const changing = {
  title: 'Production, reads of 50 teams while another process commits 20 times a second',
  async run({ folder, ...pace }) {
    const world = await databaseIn(folder, 'changing', { teams })
    const stop = await committing({ ...world, teams })
    try {
      const subjects = [fastifyString(answersIn(folder)), production(world)]
      const kinds = ['list', 'bundle'].map((work) => ({ work, connections: 50 }))
      return await inTables(subjects, kinds, { ...pace, of: '20 projects of each team' })
    } finally {
      stop()
    }
  },
}
