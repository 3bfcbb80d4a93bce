import type { OptionValues } from 'commander'
import type { Result } from '../output/show.js'
import { UserError } from '../user-error.js'
import { findTeam } from './find-records.js'
import { readDatabase } from './open-database.js'
import { removeRecords } from './store-command.js'

/** The projects of a team of a database, newest first. */
export const databaseProjects = ({ database, team: key }: OptionValues) =>
  readDatabase(database, async (store, file) => {
    const team = await findTeam(store, file, required(key))
    return { team, ...(await store.listProjects(team.id)) }
  })

/** Removes a project of a database for good, after a confirmation. */
export function removeProject({ id, team: option, ...given }: OptionValues): Promise<Result> {
  const key = required(option)
  return removeRecords(given, async (store, file) => {
    const team = await findTeam(store, file, key)
    const project = id.trim() && (await store.project(team.id, id))
    if (!project) {
      throw new UserError(
        `The team ${team.name} has no project with the id "${id}".`,
        `"npx dashboard-api project list --team ${key} --database ${file}" lists its projects.`,
      )
    }
    return {
      removal: { projects: [project] },
      question: `This removes the project "${project.name}" of the team ${team.name} for good.`,
      done: (removed) => ({
        message: `Removed the project "${project.name}".`,
        data: { project, removed },
        lines: [project.id],
      }),
    }
  })
}

function required(team: string | undefined): string {
  if (team !== undefined) return team
  throw new UserError(
    'Name the team with --team.',
    '"npx dashboard-api team list" lists those of the database.',
  )
}
