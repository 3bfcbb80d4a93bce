import type { ControlClient } from '../../mock/surfaces/control-client.js'
import type { Team } from '../../store/state-file.js'
import { Failure, UserError } from '../user-error.js'

/** The team of an organisation code or an id; without one, that of the active persona. */
export async function teamOf(call: ControlClient['call'], key?: string): Promise<Team> {
  const [{ records }, { active, sessions }] = [await call('data', { kind: 'teams' }), await call('sessions')]
  const teams = records as Team[]
  const code = key ?? sessions.find(({ id }) => id === active)?.orgCode
  const team = teams.find(({ orgCode }) => orgCode === code) ?? teams.find(({ id }) => id === key)
  if (team) return team
  const hint = `Choose one of: ${teams.map(({ orgCode }) => orgCode).join(', ')}.`
  if (key === undefined)
    throw new Failure(
      active ? `${active} has no team.` : 'No persona is active.',
      `Name one with --team. ${hint}`,
    )
  throw new UserError(`The mock has no team with the organisation code or the id "${key}".`, hint)
}
