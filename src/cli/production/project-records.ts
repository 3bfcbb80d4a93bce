import { printMessage, show, showTable } from '../output/output.js'
import { printable } from '../output/printable.js'
import { projectColumns } from '../output/project-columns.js'
import { UserError } from '../user-error.js'
import { confirmRemoval } from './confirm-removal.js'
import { findTeam } from './find-records.js'
import { readDatabase } from './open-database.js'

type Options = { database?: string; team?: string; json?: boolean }

/** Prints the projects of a team of a database, newest first. */
export async function showProjects({ database, team: key, json }: Options): Promise<void> {
  const data = await readDatabase(database, async (store, file) => {
    const team = await findTeam(store, file, required(key))
    return { team, ...(await store.listProjects(team.id)) }
  })
  const list = { data, columns: projectColumns, rows: data.projects, emptyText: 'The team has no project.' }
  await showTable(list, json)
}

/** Removes a project of a database for good, after a confirmation. */
export async function removeProject(id: string, options: Options & { yes?: boolean }): Promise<void> {
  const key = required(options.team)
  const { subject, removed } = await confirmRemoval(options, async (store, file) => {
    const team = await findTeam(store, file, key)
    const project = id.trim() && (await store.project(team.id, id))
    if (!project) {
      throw new UserError(
        `The team ${team.name} has no project with the id "${id}".`,
        `"npx dashboard-api project list --team ${key} --database ${file}" lists its projects.`,
      )
    }
    const question = `This removes the project "${project.name}" of the team ${team.name} for good.`
    return { subject: project, removal: { projects: [project] }, question }
  })
  printMessage(`Removed the project "${printable(subject.name)}".`)
  await show({ data: { project: subject, removed }, lines: [subject.id] }, options.json)
}

function required(team: string | undefined): string {
  if (team !== undefined) return team
  throw new UserError(
    'Name the team with --team.',
    '"npx dashboard-api team list" lists those of the database.',
  )
}
