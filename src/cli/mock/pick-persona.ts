import type { SessionList } from '../../mock/controls/persona-controls.js'
import type { Persona } from '../../mock/state/listed-personas.js'
import { canShowLive } from '../output/output.js'
import { UserError } from '../user-error.js'

/** @returns the id of the chosen persona; undefined if the user leaves the list. @throws UserError without a terminal */
export async function pickPersona({ active, sessions }: SessionList): Promise<string | undefined> {
  if (!canShowLive()) {
    throw new UserError(
      'Name a persona; the list to choose from needs a terminal.',
      `Choose one of: ${sessions.map(({ id }) => id).join(', ')}.`,
    )
  }
  const items = sessions.map(({ id, note, email, role }: Persona) => ({
    ...{ label: id, hint: note ?? [email, role].filter(Boolean).join(' · '), isCurrent: id === active },
  }))
  const title = 'Persona of session=active? Type to filter, Enter chooses, Escape cancels.'
  return (await import('../terminal/list.js')).pickFromList(title, items)
}
