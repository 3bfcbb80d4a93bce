import type { Command } from 'commander'
import { printMessage, show } from '../../output/output.js'
import { printable } from '../../output/printable.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const rename = (team: Command) =>
  team
    .command('rename')
    .description('Give a team another name; its id, its organisation and its projects stay.')
    .argument('<team>', 'its organisation code or its id')
    .argument('<name>', 'the new name')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api team rename org_acme "Acme Rockets"'))
    .action(async (key, name, { database, json }) => {
      const { renameTeam } = await import('../../actions/teams.js')
      const team = await renameTeam(database, key, name)
      printMessage(`The team of ${printable(team.orgCode)} is called ${printable(team.name)} now.`)
      await show({ data: { team }, lines: [team.id] }, json)
    })
