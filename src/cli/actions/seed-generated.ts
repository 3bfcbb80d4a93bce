import type { Store } from '../../store/store.js'
import { counted } from '../counted.js'
import { type Amounts, batchesOf } from '../generate/batches.js'
import { isGeneratedTeam, isGeneratedUser } from '../generate/records.js'
import { Interrupted, noticeSignals } from '../interrupt.js'
import { withDatabase } from './database.js'
import type { SeedCounts } from './seed.js'
import { allUsers } from './users.js'

export type GeneratedReport = {
  database: string
  seed: number
  created: SeedCounts
  existing: SeedCounts
  /** How long it took. */
  seconds: number
}

export type SeedSteps = {
  /** Asked before anything is written where the database has data that no seed made; what it throws prevents it. */
  agree(foreign: string): Promise<void>
  /** Told after each transaction how many records of how many are there. */
  onProgress(done: number, total: number): void
}

/**
 * Fills a database with generated data. What is there already stays, so a run after one that was interrupted
 * completes it.
 * @throws Interrupted by a signal, with all transactions so far kept
 */
export const seedGenerated = (
  options: Amounts & { database?: string },
  { agree, onProgress }: SeedSteps,
): Promise<GeneratedReport> =>
  withDatabase(
    options.database,
    async (store, database) => {
      const foreign = await foreignData(store)
      if (foreign) await agree(`${database} has ${foreign} that no seed made.`)

      const signals = noticeSignals()
      const started = performance.now()
      const created = { teams: 0, users: 0, projects: 0 }
      const existing = { teams: 0, users: 0, projects: 0 }
      const total = options.teams * (1 + options.users + options.projects)
      let done = 0
      for (const batch of batchesOf(options)) {
        const signal = signals.raised()
        if (signal) throw interrupted(signal, done, total)
        const report = await store.load(batch)
        for (const kind of ['teams', 'users', 'projects'] as const) {
          created[kind] += report.created[kind]
          existing[kind] += report.existing[kind]
          done += batch[kind].length
        }
        onProgress(done, total)
      }
      const seconds = Math.round(performance.now() - started) / 1000
      return { database, seed: options.seed, created, existing, seconds }
    },
    { create: true },
  )

const interrupted = (signal: NodeJS.Signals, done: number, total: number) =>
  new Interrupted(
    signal,
    `Interrupted after ${counted(done, 'record')} of ${counted(total, 'record')}; these are kept.`,
    'Run the same command again to complete it.',
  )

/** What a database has that no seed made, in words; nothing where all of it is generated. */
async function foreignData(store: Store): Promise<string> {
  const teams = (await store.listTeams()).filter((team) => !isGeneratedTeam(team)).length
  let users = 0
  for await (const user of allUsers(store)) if (!isGeneratedUser(user)) users += 1
  const addresses = await store.countWaitlist()
  return [
    teams > 0 && counted(teams, 'team'),
    users > 0 && counted(users, 'user'),
    addresses > 0 && counted(addresses, 'address on the waitlist', 'addresses on the waitlist'),
  ]
    .filter(Boolean)
    .join(', ')
}
