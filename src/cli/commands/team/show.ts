import type { Command } from 'commander'
import { showRecord } from '../../output/output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const show = (team: Command) =>
  team
    .command('show')
    .description('Show a team, and how many projects it has by their status.')
    .argument('<team>', 'its organisation code or its id')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api team show org_acme'))
    .action(async (key, { database, json }) => {
      const { showTeam } = await import('../../actions/teams.js')
      const { team, projects } = await showTeam(database, key)
      const counts = Object.entries(projects).map(([status, count]) => `${count} ${status}`)
      await showRecord(
        {
          data: { team, projects },
          fields: [
            ['Id', team.id],
            ['Name', team.name],
            ['Organisation', team.orgCode],
            ['Projects', counts.join(', ') || 'none'],
          ],
        },
        json,
      )
    })
