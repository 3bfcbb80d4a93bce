import type { Command } from 'commander'
import type { Persona, SessionList } from '../../mock/core/controls.js'
import { canShowLive } from '../output/output.js'
import { Failure, UserError } from '../user-error.js'
import { controlCommand } from './control-command.js'
import { urlOf } from './control-mock.js'

const activeOf = ({ active, sessions }: SessionList) => sessions.find(({ id }) => id === active)

/** The active persona; nothing without one. */
function print(list: SessionList) {
  const persona = activeOf(list)
  return persona && { data: persona, lines: [persona.id] }
}

/** `session use` and `session current`. */
export function definePersonaCommands(session: Command): void {
  controlCommand(session, 'use [id]', 'useSession', {
    examples: ['acme-viewer'],
    async call(call, { id }) {
      const chosen = id ?? (await choosePersona(await call('sessions')))
      return chosen === undefined ? { sessions: [] } : call('useSession', { id: chosen })
    },
    message: ({ active }) =>
      active === undefined ? 'Nothing was changed.' : `session=active stands for ${active} now.`,
    print,
  })
  controlCommand(session, 'current', 'sessions', {
    about: 'Print the persona of the cookie session=active of a running mock.',
    async call(call, given) {
      const list = await call('sessions')
      if (activeOf(list)) return list
      throw new Failure(
        `The mock at ${urlOf(given)} has no active persona.`,
        'Choose one with "npx dashboard-api session use".',
      )
    },
    print,
  })
}

/** @returns the id of the chosen persona; undefined if the user leaves the list. @throws UserError without a terminal */
async function choosePersona({ active, sessions }: SessionList): Promise<string | undefined> {
  if (!canShowLive()) {
    throw new UserError(
      'Name a persona; the list to choose from needs a terminal.',
      `Choose one of: ${sessions.map(({ id }) => id).join(', ')}.`,
    )
  }
  const { pick } = await import('../terminal/list.js')
  const hintOf = ({ note, email, role }: Persona) => note ?? [email, role].filter(Boolean).join(' · ')
  const choices = sessions.map((each) => ({
    ...{ label: each.id, hint: hintOf(each), isCurrent: each.id === active },
  }))
  return pick('Persona of session=active? Type to filter, Enter chooses, Escape cancels.', choices)
}
