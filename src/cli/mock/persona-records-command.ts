import type { Command } from 'commander'
import type { Persona } from '../../mock/core/controls.js'
import { examples, mockOptions } from '../options.js'
import { printMessage, show } from '../output/output.js'
import { printable } from '../output/printable.js'
import { controlMock } from './control-mock.js'

export const define = (persona: Command) => {
  const addAndRemove = examples(
    'npx dashboard-api persona add initech-boss --organization org_initech --team Initech --role owner',
    'npx dashboard-api session use initech-boss',
    'npx dashboard-api persona remove initech-boss',
  )
  persona
    .description(
      'Add and remove personas of a running mock. "session list" shows them, "session use" chooses one.',
    )
    .addHelpText('after', addAndRemove)

  mockOptions(persona.command('add'))
    .description('Add a persona with its user, and with a team if its organisation has none.')
    .argument('<name>', 'its name: the value of the session cookie')
    .option('--email <address>', 'the address of its user')
    .option('--given-name <text>', 'the given name of its user')
    .option('--family-name <text>', 'the family name of its user')
    .option('--organization <code>', 'its organisation code; without it and --team, it has no organisation')
    .option('--team <name>', 'the name of the team to add, if the organisation has none')
    .option('--permissions <list>', 'separated by commas; "" for none (default: those of every operation)')
    .option('--role <text>', 'its role in the session bundle')
    .option('--note <text>', 'a short description')
    .addHelpText('after', addAndRemove)
    .action(async (id, { json, url, space, organization, team, permissions, ...fields }) => {
      const { sessions } = await controlMock({ url, space })('addSession', {
        ...fields,
        id,
        orgCode: organization,
        teamName: team,
        permissions: permissions
          ?.split(',')
          .map((each: string) => each.trim())
          .filter(Boolean),
      })
      printMessage(
        `Added the persona ${printable(id)}. Send the cookie session=${printable(id)}, or choose it with "session use".`,
      )
      const added = sessions.find((each) => each.id === id) as Persona
      await show({ data: added, lines: [id] }, json)
    })

  mockOptions(persona.command('remove'))
    .description('Remove a persona, and its user if no other persona is that user.')
    .argument('<name>', 'as "session list" shows it')
    .addHelpText('after', addAndRemove)
    .action(async (id, { json, ...address }) => {
      const data = await controlMock(address)('removeSession', { id })
      printMessage(`Removed the persona ${printable(id)}. "npx dashboard-api undo" takes it back.`)
      if (data.warning) printMessage(printable(data.warning))
      await show({ data, lines: [id] }, json)
    })
}
