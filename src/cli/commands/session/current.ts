import type { Command } from 'commander'
import { show } from '../../output/output.js'
import { printable } from '../../output/printable.js'
import { examples, jsonOption, spaceOption, urlOption } from '../options.js'

export const current = (session: Command) =>
  session
    .command('current')
    .description('Print the persona that the cookie session=active of a running mock stands for.')
    .addOption(urlOption())
    .addOption(spaceOption())
    .addOption(jsonOption('print the whole persona as JSON'))
    .addHelpText('after', examples('npx dashboard-api session current'))
    .action(async ({ json, ...at }) => {
      const { activePersona } = await import('../../actions/mock-sessions.js')
      const persona = await activePersona(at)
      await show({ data: persona, lines: [printable(persona.id)] }, json)
    })
