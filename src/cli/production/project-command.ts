import type { Command } from 'commander'
import type { Project } from '../../contract/schemas.js'
import { databaseOptions, examples, yesOption } from '../options.js'
import { printMessage, show, showTable } from '../output/output.js'
import { printable } from '../output/printable.js'
import { UserError } from '../user-error.js'
import { confirmRemoval } from './confirm-removal.js'
import { findTeam } from './find-team.js'
import { readDatabase } from './open-database.js'

export const define = (project: Command) => {
  const listExample = examples('npx dashboard-api project list --team org_acme')
  project.description('Show and remove the projects of a database.').addHelpText('after', listExample)

  databaseOptions(project.command('list').requiredOption('--team <team>', 'its organisation code or its id'))
    .description('List the projects of a team, newest first.')
    .addHelpText('after', listExample)
    .action(async ({ team: key, database, json }) => {
      const data = await readDatabase(database, async (store, file) => {
        const team = await findTeam(store, file, key)
        return { team, projects: await store.listProjects(team.id) }
      })
      await showTable({ data, columns, rows: data.projects, emptyText: 'The team has no project.' }, json)
    })

  databaseOptions(
    project.command('remove').requiredOption('--team <team>', 'its organisation code or its id'),
  )
    .addOption(yesOption())
    .description('Remove a project of a team for good.')
    .argument('<id>', 'its id, as "project list" shows it')
    .addHelpText(
      'after',
      examples(
        'id=$(npx dashboard-api project list --team org_acme --json | node -p "JSON.parse(fs.readFileSync(0)).projects[0].id")',
        'npx dashboard-api project remove "$id" --team org_acme --yes',
      ),
    )
    .action(async (id, { team: key, json, ...options }) => {
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
      await show({ data: { project: subject, removed }, lines: [subject.id] }, json)
    })
}

const tones: Record<string, 'good' | 'faint'> = { active: 'good', archived: 'faint' }

const columns = [
  { title: 'Name', value: ({ name }: Project) => name, shrinks: true },
  {
    title: 'Status',
    value: ({ status }: Project) => status,
    tone: ({ status }: Project) => tones[status],
  },
  { title: 'Created', value: ({ createdAt }: Project) => createdAt },
  { title: 'Id', value: ({ id }: Project) => id, tone: () => 'faint' as const, shrinks: true },
  { title: 'Description', value: ({ description }: Project) => description ?? '', shrinks: true },
]
