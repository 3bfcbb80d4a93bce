import type { OptionValues } from 'commander'
import type { Project } from '../../contract/schemas.js'
import type { Team } from '../../store/state-file.js'
import type { Columns, Tone } from '../output/columns.js'
import type { Result } from '../output/show.js'
import { UserError } from '../user-error.js'
import { findTeam } from './find-records.js'
import { removeRecords, showFrom } from './store-command.js'

/** Prints the projects of a team of a database, newest first. */
export const databaseProjects = (given: OptionValues) =>
  showFrom(given, async (store, { team: key }, file) => {
    const team = await findTeam(store, file, required(key))
    return listProjects(team, (await store.listProjects(team.id)).projects)
  })

export const listProjects = (team: Team, projects: Project[]): Result => ({
  data: { team, projects },
  table: { columns, rows: projects, emptyText: 'The team has no project.' },
})

const tones: Record<string, Tone> = { active: 'good', archived: 'faint' }

const columns: Columns<Project> = {
  'Name*': ['name', undefined, 16],
  Status: ['status', ({ status }) => tones[status]],
  'Created*': ['createdAt', undefined, 10],
  // Whole where the terminal is narrow: other commands take it.
  Id: ['id', 'faint'],
  'Description*': 'description',
}

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
