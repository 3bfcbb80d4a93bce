import { committing } from '../committing.js'
import { answersIn, databaseIn } from '../files.js'
import { fastifyString, production } from '../subjects.js'
import { inTables } from '../tables.js'

const teams = 50

export const changing = {
  title: 'Production, reads of 50 teams while another process commits 20 times a second',
  async run({ folder, ...pace }) {
    const usual = await databaseIn(folder, 'changing', { teams })
    const all = await databaseIn(folder, 'changing-all', { teams })
    const stops = [await committing({ ...usual, teams, perCommit: 1 }), await committing({ ...all, teams })]
    try {
      const subjects = [
        fastifyString(answersIn(folder)),
        production(usual),
        { ...production(all), name: 'production, each commit changes all 50 teams' },
      ]
      const kinds = ['list', 'bundle'].map((work) => ({ work, connections: 50 }))
      return await inTables(subjects, kinds, { ...pace, of: '20 projects of each team' })
    } finally {
      for (const stop of stops) stop()
    }
  },
}
