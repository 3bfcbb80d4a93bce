import { v7 as uuidV7 } from 'uuid'
import { Team } from '../../store/state-file.js'
import type { Store } from '../../store/store.js'
import { UserError } from '../user-error.js'
import { withDatabase } from './database.js'

/** A team, and its projects counted by their status. */
export type TeamDetails = { team: Team; projects: Record<string, number> }

/** Every team of a database, in the order in which they were added. */
export const listTeams = (database: string | undefined): Promise<Team[]> =>
  withDatabase(database, (store) => store.listTeams())

/** A team, known by its organisation code or its id. @throws UserError for an unknown one */
export const showTeam = (database: string | undefined, key: string): Promise<TeamDetails> =>
  withDatabase(database, async (store, file) => {
    const team = await requireTeam(store, file, key)
    const projects: Record<string, number> = {}
    for (const { status } of await store.listProjects(team.id)) projects[status] = (projects[status] ?? 0) + 1
    return { team, projects }
  })

/** Makes a team for an organisation that has none. @throws UserError where it has one */
export function createTeam(database: string | undefined, values: { name: string; orgCode: string }) {
  const team = parseTeam({ id: uuidV7(), ...values })
  return withDatabase(
    database,
    async (store, file) => {
      if (await store.addTeam(team)) return team
      throw new UserError(
        `The organisation "${team.orgCode}" has a team already.`,
        `"npx dashboard-api team show ${team.orgCode} --database ${file}" shows it; "team rename" gives it another name.`,
      )
    },
    { create: true },
  )
}

/** Gives a team another name; its id, its organisation and its projects stay. @throws UserError */
export const renameTeam = (database: string | undefined, key: string, name: string): Promise<Team> =>
  withDatabase(database, async (store, file) => {
    const team = parseTeam({ ...(await requireTeam(store, file, key)), name })
    return (await store.renameTeam(team.id, name)) ?? unknownTeam(file, key)
  })

/** The team with this organisation code, or else with this id. @throws UserError where there is none */
export const requireTeam = async (store: Store, file: string, key: string): Promise<Team> =>
  (await store.teamOfOrganization(key)) ?? (await store.team(key)) ?? unknownTeam(file, key)

function unknownTeam(file: string, key: string): never {
  throw new UserError(
    `The database has no team with the organisation code or the id "${key}".`,
    `"npx dashboard-api team list --database ${file}" shows those it has.`,
  )
}

function parseTeam(values: Team): Team {
  const parsed = Team.safeParse(values)
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path[0] === 'orgCode' ? 'organisation code' : 'name'
  throw new UserError(
    `The ${field} of a team needs at least one character, and only text that can be stored.`,
  )
}
