import { answersIn, databaseIn } from '../files.js'
import { expressSqlite } from '../peers.js'
import { fastifyString, httpBuffer, production } from '../subjects.js'
import { inTables } from '../tables.js'

export const reads = {
  title: 'Production, reads',
  async run({ folder, ...pace }) {
    const answers = answersIn(folder)
    const subjects = [
      fastifyString(answers),
      httpBuffer(answers),
      production(await databaseIn(folder, 'reads')),
      expressSqlite(await databaseIn(folder, 'reads-express')),
    ]
    const kinds = ['list', 'bundle'].flatMap((work) =>
      [1, 32, 50, 256].map((connections) => ({ work, connections })),
    )
    return inTables(subjects, kinds, pace)
  },
}
