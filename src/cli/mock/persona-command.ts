import type { Command } from 'commander'
import type { Persona, SessionList } from '../../mock/core/controls.js'
import { examples, jsonOption, mockOptions, spaceOption, urlOption } from '../options.js'
import { canShowLive, printMessage, show, showTable } from '../output/output.js'
import { printable } from '../output/printable.js'
import { Failure, UserError } from '../user-error.js'
import { controlMock, type MockAddress, urlOf } from './control-mock.js'

export const defineUse = (use: Command) =>
  mockOptions(use)
    .description('Choose the persona of the cookie session=active, from the next request on.')
    .argument('[persona]', 'as "session list" shows it; if omitted, choose from a list on a terminal')
    .addHelpText('after', examples('npx dashboard-api session use acme-viewer'))
    .action(async (name, { json, ...address }) => {
      const call = controlMock(address)
      const id = name ?? (await choosePersona(await call('sessions')))
      if (id === undefined) return printMessage('Nothing was changed.')
      const persona = activeOf(await call('useSession', { id })) as Persona
      printMessage(`session=active stands for ${printable(persona.id)} now.`)
      await show({ data: persona, lines: [printable(persona.id)] }, json)
    })

export const defineCurrent = (current: Command) =>
  current
    .description('Print the persona of the cookie session=active of a running mock.')
    .addOption(urlOption())
    .addOption(spaceOption())
    .addOption(jsonOption('print the whole persona as JSON'))
    .addHelpText('after', examples('npx dashboard-api session current'))
    .action(async ({ json, ...address }) => {
      const persona = activeOf(await controlMock(address)('sessions'))
      if (!persona) {
        throw new Failure(
          `The mock at ${urlOf(address)} has no active persona.`,
          'Choose one with "npx dashboard-api session use".',
        )
      }
      await show({ data: persona, lines: [printable(persona.id)] }, json)
    })

/** Prints the personas of a running mock. */
export async function showPersonas(address: MockAddress, json?: boolean): Promise<void> {
  const data = await controlMock(address)('sessions')
  const columns = [
    { title: 'Active', value: ({ id }: Persona) => (id === data.active ? '*' : '') },
    { title: 'Persona', value: ({ id }: Persona) => id },
    { title: 'Email', value: ({ email }: Persona) => email, shrinks: true },
    { title: 'Organisation', value: ({ orgCode }: Persona) => orgCode },
    { title: 'Role', value: ({ role }: Persona) => role },
    { title: 'Note', value: ({ note }: Persona) => note, shrinks: true },
  ]
  await showTable({ data, columns, rows: data.sessions, emptyText: 'The mock has no persona.' }, json)
}

const activeOf = ({ active, sessions }: SessionList) => sessions.find(({ id }) => id === active)

/** @returns the id of the chosen persona; undefined if the user leaves the list. @throws UserError without a terminal */
async function choosePersona({ active, sessions }: SessionList): Promise<string | undefined> {
  if (!canShowLive()) {
    throw new UserError(
      'Name a persona; the list to choose from needs a terminal.',
      `Choose one of: ${sessions.map(({ id }) => id).join(', ')}.`,
    )
  }
  const [{ pick }, { personaText }] = await Promise.all([
    import('../terminal/pick.js'),
    import('../terminal/dev/texts.js'),
  ])
  const choices = sessions.map((persona) => ({
    label: persona.id,
    hint: persona.note ?? personaText(persona),
    isCurrent: persona.id === active,
  }))
  return pick('Persona of session=active? Type to filter, Enter chooses, Escape cancels.', choices)
}
