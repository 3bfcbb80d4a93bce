import type { Command } from 'commander'
import type { Project } from '../../contract/schemas.js'
import { databaseOptions, examples } from '../options.js'
import { showTable } from '../output/output.js'
import { findTeam } from './find-team.js'
import { withDatabase } from './open-database.js'

export const define = (project: Command) => {
  const listExample = examples('npx dashboard-api project list --team org_acme')
  project.description('Show the projects of a database.').addHelpText('after', listExample)

  databaseOptions(project.command('list').requiredOption('--team <team>', 'its organisation code or its id'))
    .description('List the projects of a team, newest first.')
    .addHelpText('after', listExample)
    .action(async ({ team: key, database, json }) => {
      const data = await withDatabase(database, async (store, file) => {
        const team = await findTeam(store, file, key)
        return { team, projects: await store.listProjects(team.id) }
      })
      await showTable({ data, columns, rows: data.projects, emptyText: 'The team has no project.' }, json)
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
