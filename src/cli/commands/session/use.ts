import type { Command } from 'commander'
import { note, show } from '../../output.js'
import { printable } from '../../printable.js'
import { examples, jsonOption, spaceOption, urlOption } from '../options.js'

export const use = (session: Command) =>
  session
    .command('use')
    .description(
      'Make the cookie session=active of a running mock stand for a persona, from the next request on.',
    )
    .argument('<persona>', 'its name, as "session list" shows it')
    .addOption(urlOption())
    .addOption(spaceOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api session use acme-viewer'))
    .action(async (id, { json, ...at }) => {
      const { choosePersona } = await import('../../actions/mock-sessions.js')
      const persona = await choosePersona(at, id)
      note(`session=active stands for ${printable(persona.id)} now.`)
      await show({ data: persona, lines: [printable(persona.id)] }, json)
    })
