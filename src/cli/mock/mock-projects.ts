import type { OptionValues } from 'commander'
import type { Project } from '../../contract/schemas.js'
import type { Team } from '../../store/state-file.js'
import { projectColumns } from '../output/project-columns.js'
import type { Result } from '../output/show.js'
import { Failure, UserError } from '../user-error.js'
import { controlMock } from './control-mock.js'

/** The projects of a team of a running mock, newest first. */
export async function mockProjects(given: OptionValues): Promise<Result> {
  const call = controlMock(given)
  const team = await teamOf(call, given.team)
  const { records } = await call('data', { kind: 'projects', sort: '-createdAt' })
  const projects = (records as Project[]).filter(({ teamId }) => teamId === team.id)
  const table = { columns: projectColumns, rows: projects, emptyText: 'The team has no project.' }
  return { data: { team, projects }, table }
}

/** Adds a project to a team of a running mock, by default that of the active persona. */
export async function addMockProject(given: OptionValues): Promise<Result> {
  const { id, name, description, status, createdAt } = given
  const call = controlMock(given)
  const { id: teamId, name: team } = await teamOf(call, given.team)
  const fields = { id, name, description, status, teamId, createdAt }
  const { record } = await call('addRecord', { kind: 'projects', record: fields })
  return projectResult(`Added the project "${name}" to the team ${team}.`, record as Project)
}

/** Changes fields of a project of a running mock. */
export async function setMockProject({ id, ...given }: OptionValues): Promise<Result> {
  const { name, description, status } = given
  const call = controlMock(given)
  const teamId = given.team === undefined ? undefined : (await teamOf(call, given.team)).id
  const fields = { name, description: description === false ? null : description, status, teamId }
  if (Object.values(fields).every((value) => value === undefined)) {
    throw new UserError('Name a field to change.', 'For example --status paused.')
  }
  const record = (await call('setRecord', { kind: 'projects', key: id, fields })).record as Project
  return projectResult(`Changed the project "${record.name}".`, record)
}

/** Removes a project of a running mock. With `team`, only one of this team. */
export async function removeMockProject({ id, ...given }: OptionValues): Promise<Result> {
  const call = controlMock(given)
  if (given.team !== undefined) {
    const { id: teamId, name } = await teamOf(call, given.team)
    const { records } = await call('data', { kind: 'projects', search: id })
    if (!(records as Project[]).some((project) => project.id === id && project.teamId === teamId)) {
      throw new UserError(`The team ${name} has no project with the id "${id}".`)
    }
  }
  const { removed } = await call('removeRecord', { kind: 'projects', key: id })
  const message = `Removed the project ${id}. "npx dashboard-api undo" takes it back.`
  return { message, data: { removed }, lines: [id] }
}

const projectResult = (message: string, project: Project): Result => ({
  ...{ message, data: { project }, lines: [project.id] },
})

/** The team of an organisation code or an id; without one, that of the active persona. */
async function teamOf(call: ReturnType<typeof controlMock>, key: string | undefined): Promise<Team> {
  const [{ records }, { active, sessions }] = [await call('data', { kind: 'teams' }), await call('sessions')]
  const teams = records as Team[]
  const code = key ?? sessions.find(({ id }) => id === active)?.orgCode
  const team = teams.find(({ orgCode }) => orgCode === code) ?? teams.find(({ id }) => id === key)
  if (team) return team
  if (key === undefined) {
    const about = active === undefined ? 'The mock has no active persona.' : `${active} has no team.`
    throw new Failure(about, 'Name the team with --team.')
  }
  throw new UserError(
    `The mock has no team with the organisation code or the id "${key}".`,
    `Choose one of: ${teams.map(({ orgCode }) => orgCode).join(', ')}.`,
  )
}
