import type { Command } from 'commander'
import type { Project } from '../../../contract/schemas.js'
import { showTable } from '../../output/output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

const tones: Record<string, 'good' | 'faint'> = { active: 'good', archived: 'faint' }

export const list = (project: Command) =>
  project
    .command('list')
    .description('Show the projects of a team, newest first.')
    .requiredOption('--team <team>', 'its organisation code or its id')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api project list --team org_acme'))
    .action(async ({ team: key, database, json }) => {
      const { listProjects } = await import('../../actions/projects.js')
      const data = await listProjects(database, key)
      const columns = [
        { title: 'Name', value: ({ name }: Project) => name, yields: true },
        {
          title: 'Status',
          value: ({ status }: Project) => status,
          tone: ({ status }: Project) => tones[status],
        },
        { title: 'Created', value: ({ createdAt }: Project) => createdAt },
        { title: 'Id', value: ({ id }: Project) => id, tone: () => 'faint' as const, yields: true },
        { title: 'Description', value: ({ description }: Project) => description ?? '', yields: true },
      ]
      await showTable({ data, columns, rows: data.projects, nothing: 'The team has no project.' }, json)
    })
