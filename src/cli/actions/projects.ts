import type { Project } from '../../contract/schemas.js'
import type { Team } from '../../store/state-file.js'
import { withDatabase } from './database.js'
import { requireTeam } from './teams.js'

/** The projects of a team, newest first as the interface lists them (section 4.2). @throws UserError */
export const listProjects = (
  database: string | undefined,
  teamKey: string,
): Promise<{ team: Team; projects: Project[] }> =>
  withDatabase(database, async (store, file) => {
    const team = await requireTeam(store, file, teamKey)
    return { team, projects: await store.listProjects(team.id) }
  })
