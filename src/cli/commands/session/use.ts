import type { Command } from 'commander'
import type { MockAt } from '../../actions/mock.js'
import { canShowLive, printMessage, show } from '../../output/output.js'
import { printable } from '../../output/printable.js'
import { UserError } from '../../user-error.js'
import { examples, jsonOption, spaceOption, urlOption } from '../options.js'

export const use = (session: Command) =>
  session
    .command('use')
    .description(
      'Make the cookie session=active of a running mock stand for a persona, from the next request on.',
    )
    .argument(
      '[persona]',
      'its name, as "session list" shows it; left out on a terminal, one is picked from a list',
    )
    .addOption(urlOption())
    .addOption(spaceOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api session use acme-viewer'))
    .action(async (id, { json, ...at }) => {
      const { choosePersona } = await import('../../actions/mock-sessions.js')
      const chosen = id ?? (await pickPersona(at))
      if (chosen === undefined) return printMessage('Nothing was changed.')
      const persona = await choosePersona(at, chosen)
      printMessage(`session=active stands for ${printable(persona.id)} now.`)
      await show({ data: persona, lines: [printable(persona.id)] }, json)
    })

async function pickPersona(at: MockAt): Promise<string | undefined> {
  const { mockAt } = await import('../../actions/mock.js')
  const { active, sessions } = await mockAt(at)('sessions')
  if (!canShowLive()) {
    throw new UserError(
      'Name a persona; one is picked from a list on a terminal alone.',
      `Choose one of: ${sessions.map(({ id }) => id).join(', ')}.`,
    )
  }
  const [{ pick }, { personaText }] = await Promise.all([
    import('../../terminal/pick.js'),
    import('../../terminal/dev/texts.js'),
  ])
  const choices = sessions.map((persona) => ({
    label: persona.id,
    hint: persona.note ?? personaText(persona),
    isCurrent: persona.id === active,
  }))
  return pick('Who shall session=active be? Type to filter, Enter chooses, Escape leaves.', choices)
}
