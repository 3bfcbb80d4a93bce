import type { Team } from '../../store/state-file.js'
import type { StoreReader } from '../../store/store.js'
import { UserError } from '../user-error.js'

/** The team with this organisation code, or else with this id. @throws UserError if there is none */
export async function findTeam(store: StoreReader, file: string, key: string): Promise<Team> {
  const team = (await store.teamOfOrganization(key)) ?? (await store.team(key))
  if (team) return team
  throw new UserError(
    `The database has no team with the organisation code or the id "${key}".`,
    `"npx dashboard-api team list --database ${file}" lists its teams.`,
  )
}
