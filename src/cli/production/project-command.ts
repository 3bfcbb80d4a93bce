import { type Command, Option } from 'commander'
import { shellQuote } from '../../pages/shell-quote.js'
import { yesOption } from '../options.js'
import { projectTable } from '../output/project-table.js'
import { UserError } from '../user-error.js'
import { findTeam, listProjectsOf, tableRows } from './find-records.js'
import { storeCommand } from './store-command.js'

export function define(group: Command): void {
  storeCommand(group, 'list', {
    about: 'List the projects of a team of a database, newest first.',
    options: [teamOption()],
    examples: ['--team org_acme', '--team org_acme --database data/dashboard.db --json'],
    async read(store, { team: key }, file) {
      const team = await findTeam(store, file, key)
      const rows = tableRows(listProjectsOf(store, team.id))
      return { table: { name: 'projects', beside: { team }, ...projectTable, ...rows } }
    },
  })

  storeCommand(group, 'remove <id>', {
    about: 'Remove a project of a database for good.',
    args: ['its id, as "project list" shows it'],
    options: [teamOption(), yesOption()],
    examples: ['0198c0de-0000-7000-8000-000000000001 --team org_acme --yes'],
    async remove(store, { id, team: key }, file) {
      const team = await findTeam(store, file, key)
      const project = id.trim() && (await store.project(team.id, id))
      if (!project) {
        throw new UserError(
          `The team ${team.name} has no project with the id "${id}".`,
          `"npx dashboard-api project list --team ${shellQuote(key)} --database ${shellQuote(file)}" lists its projects.`,
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
    },
  })
}

const teamOption = () =>
  new Option('--team <team>', 'the team: its organisation code or its id').makeOptionMandatory()
