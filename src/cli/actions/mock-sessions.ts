import type { Persona, SessionList } from '../../mock/core/controls.js'
import { Failure } from '../user-error.js'
import { type MockAt, mockAt } from './mock.js'

/** The persona that `session=active` stands for. @throws Failure where there is none, or no mock answers */
export async function activePersona(at: MockAt): Promise<Persona> {
  const persona = activeOf(await mockAt(at)('sessions'))
  if (persona) return persona
  throw new Failure(
    `The mock at ${at.url} has no active persona.`,
    'Choose one with "npx dashboard-api session use".',
  )
}

/** Makes `session=active` stand for this persona from the next request on. @throws UserError for an unknown one */
export async function choosePersona(at: MockAt, id: string): Promise<Persona> {
  return activeOf(await mockAt(at)('useSession', { id })) as Persona
}

const activeOf = ({ active, sessions }: SessionList) => sessions.find(({ id }) => id === active)
