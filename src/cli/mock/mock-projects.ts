import type { OptionValues } from 'commander'
import type { Project } from '../../contract/schemas.js'
import type { ControlClient } from '../../mock/http/control-client.js'
import type { Team } from '../../store/state-file.js'
import { Failure, UserError } from '../user-error.js'
import { controlMock } from './control-mock.js'

/** The projects of a team of a running mock, newest first. */
export async function mockProjects(given: OptionValues) {
  const call = controlMock(given)
  const team = await teamOf(call, given.team)
  const { records } = await call('data', { kind: 'projects', sort: '-createdAt' })
  return { team, projects: (records as Project[]).filter(({ teamId }) => teamId === team.id) }
}

/** Removes a project of a running mock. With `team`, only one of this team. */
export async function removeMockProject(given: OptionValues) {
  const { id } = given
  if (given.team !== undefined) {
    const { team, projects } = await mockProjects(given)
    if (!projects.some((project) => project.id === id)) {
      throw new UserError(`The team ${team.name} has no project with the id "${id}".`)
    }
  }
  const { removed } = await controlMock(given)('removeRecord', { kind: 'projects', key: id })
  const message = `Removed the project ${id}. "npx dashboard-api undo" takes it back.`
  return { message, data: { removed }, lines: [id] }
}

/** The team of an organisation code or an id; without one, that of the active persona. */
export async function teamOf(call: ControlClient['call'], key?: string): Promise<Team> {
  const [{ records }, { active, sessions }] = [await call('data', { kind: 'teams' }), await call('sessions')]
  const teams = records as Team[]
  const code = key ?? sessions.find(({ id }) => id === active)?.orgCode
  const team = teams.find(({ orgCode }) => orgCode === code) ?? teams.find(({ id }) => id === key)
  if (team) return team
  const hint = `Choose one of: ${teams.map(({ orgCode }) => orgCode).join(', ')}.`
  if (key === undefined)
    throw new Failure(`${active ?? 'Nobody is active, who'} has no team.`, `Name one with --team. ${hint}`)
  throw new UserError(`The mock has no team with the organisation code or the id "${key}".`, hint)
}
