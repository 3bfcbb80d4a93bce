import { emptyState, type State } from '../../store/state-file.js'
import { generateProject, generateTeam, generateUser } from './records.js'
import { createWords } from './words.js'

/** How many records to generate; users and projects are per team. */
export type Amounts = { teams: number; users: number; projects: number; seed: number }

/** Records per transaction: fewer mean more waiting for the disk, more make other writers wait. */
const batchSize = 5000

/** Generates the records of a seed, the same ones in the same order, in batches of constant memory. */
export function* generateBatches({ teams, users, projects, seed }: Amounts): Generator<State> {
  const words = createWords(seed)
  let batch = emptyState()
  let size = 0
  for (let number = 1; number <= teams; number += 1) {
    const team = generateTeam(seed, number, words)
    batch.teams.push(team)
    for (let i = 1; i <= users; i += 1) batch.users.push(generateUser(seed, number, i, words))
    size += 1 + users
    for (let i = 0; i < projects; i += 1) {
      batch.projects.push(generateProject(seed, team, i, words))
      size += 1
      if (size >= batchSize) {
        yield batch
        batch = emptyState()
        size = 0
      }
    }
  }
  if (size > 0) yield batch
}
