import type { State, Team, UserRecord } from '../../store/state-file.js'
import type { Store } from '../../store/store.js'
import type { Columns } from '../output/columns.js'
import { pluralize } from '../output/pluralize.js'
import type { CommandResult } from '../output/show.js'
import { demoFixture } from '../package.js'
import { readStateFile, stateFailure } from '../read-state-file.js'
import { UserError } from '../user-error.js'
import { allUsers } from './find-records.js'
import { withDatabase } from './open-database.js'
import { removeRecords } from './store-command.js'

type Options = { database?: string; from?: string; yes?: boolean; demo?: boolean }

/** The kinds that a seed loads. */
export const seededKinds = ['teams', 'users', 'projects'] as const
type Kind = (typeof seededKinds)[number]

/** Loads the teams, users and projects of a state file; existing records stay unchanged. */
export async function seedFromFile({ database: flag, from: file, demo }: Options): Promise<CommandResult> {
  const from = file ?? demoFixture()
  const state = { ...(await readStateFile(from)), sessions: [], waitlist: [] }
  const load = async (store: Store, database: string) => {
    if (file === undefined && !demo) await refuseOtherData(store, database, state)
    const { created, existing } = await store.load(state)
    const countsOf = (counts: Record<Kind, number>) =>
      Object.fromEntries(seededKinds.map((kind) => [kind, counts[kind]]))
    const columns: Columns<Kind> = {
      Kind: (kind) => kind,
      Created: (kind) => created[kind],
      Existing: (kind) => existing[kind],
    }
    return {
      message: `Seeded ${database} from ${from}.`,
      data: { database, from, created: countsOf(created), existing: countsOf(existing) },
      table: { columns, rows: [...seededKinds] },
    }
  }
  return withDatabase(flag, load, { create: true }).catch(async (error) => {
    throw await stateFailure(from, error)
  })
}

/** @throws UserError for a database with data that are not of the demo: it may be one of production */
async function refuseOtherData(store: Store, database: string, { teams, users }: State): Promise<void> {
  // Where the demo is already, it was loaded on purpose.
  const loaded = await Promise.all(teams.map(({ id }) => store.team(id)))
  if (!loaded.includes(undefined)) return
  const ids = new Set([...teams, ...users].map(({ id }) => id))
  const isOfDemo = ({ id }: { id: string }) => ids.has(id)
  const other = await describeOtherData(store, isOfDemo, isOfDemo)
  if (!other) return
  throw new UserError(
    `${database} has ${other} not of the demo. Nothing was loaded.`,
    'Choose another --database, or add --demo to load the demo nevertheless; "seed --remove" takes it back.',
  )
}

/** Counts in words the records that a seed does not load itself; empty if there are none. */
export async function describeOtherData(
  store: Store,
  isOwnTeam: (team: Team) => boolean,
  isOwnUser: (user: UserRecord) => boolean,
): Promise<string> {
  const teams = (await store.listTeams()).filter((team) => !isOwnTeam(team)).length
  let users = 0
  for await (const user of allUsers(store).entries) if (!isOwnUser(user)) users += 1
  const counts = [
    [teams, 'team', 'teams'],
    [users, 'user', 'users'],
    [await store.countWaitlist(), 'address on the waitlist', 'addresses on the waitlist'],
  ] as const
  return counts.flatMap(([count, one, many]) => (count > 0 ? pluralize(count, one, many) : [])).join(', ')
}

/** Removes the teams and users of a state file from a database, with everything that belongs to them. */
export async function removeSeeded({ from = demoFixture(), ...options }: Options): Promise<CommandResult> {
  const state = await readStateFile(from)
  return removeRecords(options, async (store, database) => {
    const found = await Promise.all(state.teams.map(({ id }) => store.team(id)))
    // A team of another organisation only happens to have the id.
    const teams = state.teams.filter(({ orgCode }, i) => found[i]?.orgCode === orgCode)
    const known = await Promise.all(state.users.map(({ id }) => store.user(id)))
    const users = state.users.filter((_, i) => known[i] !== undefined)
    const sizes = await Promise.all(teams.map(({ id }) => store.teamSize(id)))
    const projects = sizes.reduce((sum, size) => sum + size.projects, 0)
    const what = `${pluralize(teams.length, 'team')} with ${pluralize(projects, 'project')} and ${pluralize(users.length, 'user')}`
    return {
      removal: { teams: teams.map(({ id }) => id), users: users.map(({ id }) => id) },
      question: `This removes the ${what} of ${from} from ${database} for good, and ends their sessions.`,
      done: (removed) => ({
        message: `Removed the records seeded from ${from}.`,
        data: { database, from, removed },
        lines: ['Kind\tRemoved', ...Object.entries(removed).map((counts) => counts.join('\t'))],
      }),
    }
  })
}
