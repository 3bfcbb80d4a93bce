import type { ControlName } from '../../controls/control-endpoints.js'
import type { Persona } from '../../state/listed-personas.js'
import { bestFirst } from './best-first.js'
import { type BoxContext, call, type Find, has, maxFound, refuse, type Suggestion } from './suggestion.js'

export const refusePersona = (name: string, personas: readonly Persona[]): Suggestion[] =>
  refuse(
    `There is no persona "${name}".`,
    personas
      .slice(0, 12)
      .map(({ id }) => id)
      .join(', '),
  )

/** The personas that words may mean. */
export const personasFor = (
  words: readonly string[],
  { personas, you }: BoxContext,
  control: ControlName = 'useSession',
): Suggestion[] =>
  bestFirst(
    personas.filter(({ id, email, role = '', note = '' }) => has(`${id} ${email} ${role} ${note}`, words)),
    ({ id }) => id,
    words.map((word) => word.toLowerCase()),
  )
    // Without a name, one's own session is meant.
    .toSorted((a, b) =>
      words.length > 0 || control === 'useSession' ? 0 : Number(b.id === you) - Number(a.id === you),
    )
    .slice(0, maxFound)
    .map(({ id, note, role }) => call('Persona', control, { id }, { hint: note ?? role }))

/** A control of the persona that words may mean. */
export const ofPersona =
  (control: ControlName): Find =>
  ({ words }, context) => {
    const found = personasFor(words, context, control)
    return found.length > 0 ? found : refusePersona(words.join(' '), context.personas)
  }

/** This browser, as `be` signs it in. */
export const signOut: Find = (_, { you }) =>
  you === undefined
    ? refuse('You are signed out already.')
    : [call('Persona', 'useSession', { id: null }, { hint: you })]

export const isSignOut = (words: readonly string[]) => /^(sign-?o(ut?)?|log-?out)$/.test(words.join(''))

export const addPersona: Find = ({ words: [id, ...more] }) =>
  id === undefined || more.length > 0
    ? []
    : [call('Persona', 'addSession', { id }, { hint: 'with a user of its own, and no organisation' })]
