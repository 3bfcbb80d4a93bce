import type { StateCounts } from '../../store/state-file.js'
import { withDatabase } from './database.js'
import { asFileRefusal, readStateFile } from './read-state-file.js'

/** What a seed loads. A persona must never become a session, nor a made-up address a sign-up. */
export type SeedCounts = Pick<StateCounts, 'teams' | 'users' | 'projects'>
export type SeedReport = { database: string; from: string; created: SeedCounts; existing: SeedCounts }

/** Loads the teams, users and projects of a state file; what is there already stays as it is. */
export async function seedDatabase(options: { database?: string; from: string }): Promise<SeedReport> {
  const { from } = options
  const state = await readStateFile(from)
  const seeded = { ...state, sessions: [], waitlist: [] }
  const load = withDatabase(
    options.database,
    async (store, database) => ({ database, ...(await store.load(seeded)) }),
    { create: true },
  )
  const { database, created, existing } = await load.catch((error) => {
    throw asFileRefusal(from, error)
  })
  return { database, from, created: pick(created), existing: pick(existing) }
}

const pick = (counts: SeedCounts): SeedCounts => ({
  teams: counts.teams,
  users: counts.users,
  projects: counts.projects,
})
