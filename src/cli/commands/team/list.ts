import type { Command } from 'commander'
import type { Team } from '../../../store/state-file.js'
import { showTable } from '../../output/output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const list = (team: Command) =>
  team
    .command('list')
    .description('Show every team, in the order in which they were added.')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api team list', 'npx dashboard-api team list --json'))
    .action(async ({ database, json }) => {
      const { listTeams } = await import('../../actions/teams.js')
      const teams = await listTeams(database)
      const columns = [
        { title: 'Organisation', value: ({ orgCode }: Team) => orgCode },
        { title: 'Name', value: ({ name }: Team) => name, yields: true },
        { title: 'Id', value: ({ id }: Team) => id, tone: () => 'faint' as const, yields: true },
      ]
      await showTable({ data: { teams }, columns, rows: teams, nothing: 'There is no team.' }, json)
    })
