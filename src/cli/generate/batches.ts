import { emptyState, type State } from '../../store/state-file.js'
import { projectOf, teamOf, userOf } from './records.js'
import { wordsOf } from './words.js'

/** How much of everything; users and projects are those of each team. */
export type Amounts = { teams: number; users: number; projects: number; seed: number }

/** How many records go into one transaction: with fewer the disk is waited for more often, with more others wait. */
const batchSize = 5000

/** What a seed makes, in parts that fit a transaction, in constant memory: the same records in the same order. */
export function* batchesOf({ teams, users, projects, seed }: Amounts): Generator<State> {
  const words = wordsOf(seed)
  let batch = emptyState()
  let size = 0
  for (let number = 1; number <= teams; number += 1) {
    const team = teamOf(seed, number, words)
    batch.teams.push(team)
    for (let i = 1; i <= users; i += 1) batch.users.push(userOf(seed, number, i, words))
    size += 1 + users
    for (let i = 0; i < projects; i += 1) {
      batch.projects.push(projectOf(seed, team, i, words))
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
