import type { Command } from 'commander'
import { printMessage, show } from '../../output/output.js'
import { printable } from '../../output/printable.js'
import { examples, jsonOption, settingOption } from '../options.js'

export const create = (team: Command) =>
  team
    .command('create')
    .description('Make a team for an organisation that has none, and print its id.')
    .argument('<name>', 'what it is called')
    .requiredOption('--organization <code>', 'the organisation code that sessions of its members carry')
    .addOption(settingOption('database', '<file>'))
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api team create "Initech" --organization org_initech'))
    .action(async (name, { organization, database, json }) => {
      const { createTeam } = await import('../../actions/teams.js')
      const team = await createTeam(database, { name, orgCode: organization })
      printMessage(`Created the team ${printable(team.name)} of ${printable(team.orgCode)}.`)
      await show({ data: { team }, lines: [team.id] }, json)
    })
