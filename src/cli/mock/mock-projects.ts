import type { Project } from '../../contract/schemas.js'
import type { Team } from '../../store/state-file.js'
import { printMessage, show, showTable } from '../output/output.js'
import { printable } from '../output/printable.js'
import { projectColumns } from '../output/project-columns.js'
import { Failure, UserError } from '../user-error.js'
import { controlMock, type MockAddress } from './control-mock.js'

type Options = MockAddress & { team?: string; json?: boolean }
type Fields = { name?: string; description?: string | false; status?: string }
type New = Fields & { id?: string; createdAt?: string }

/** Prints the projects of a team of a running mock, newest first. */
export async function showMockProjects({ team: key, json, ...address }: Options): Promise<void> {
  const call = controlMock(address)
  const team = await teamOf(call, key)
  const { records } = await call('data', { kind: 'projects', sort: '-createdAt' })
  const projects = (records as Project[]).filter(({ teamId }) => teamId === team.id)
  const list = { columns: projectColumns, rows: projects, emptyText: 'The team has no project.' }
  await showTable({ data: { team, projects }, ...list }, json)
}

/** Adds a project to a team of a running mock, by default that of the active persona. */
export async function addMockProject(name: string, options: Options & New): Promise<void> {
  const { team: key, json, id, createdAt, description, status, ...address } = options
  const call = controlMock(address)
  const { id: teamId, name: team } = await teamOf(call, key)
  const fields = { id, name, description, status, teamId, createdAt }
  const { record } = await call('addRecord', { kind: 'projects', record: fields })
  await showProject(`Added the project "${name}" to the team ${team}.`, record, json)
}

/** Changes fields of a project of a running mock. */
export async function setMockProject(id: string, options: Options & Fields): Promise<void> {
  const { team: key, json, name, description, status, ...address } = options
  const call = controlMock(address)
  const teamId = key === undefined ? undefined : (await teamOf(call, key)).id
  const fields = { name, description: description === false ? null : description, status, teamId }
  if (Object.values(fields).every((value) => value === undefined)) {
    throw new UserError('Name a field to change.', 'For example --status paused.')
  }
  const { record } = await call('setRecord', { kind: 'projects', key: id, fields })
  await showProject(`Changed the project "${(record as Project).name}".`, record, json)
}

/** Removes a project of a running mock. With `team`, only one of this team. */
export async function removeMockProject(id: string, { team: key, json, ...address }: Options): Promise<void> {
  const call = controlMock(address)
  if (key !== undefined) {
    const { id: teamId, name } = await teamOf(call, key)
    const { records } = await call('data', { kind: 'projects', search: id })
    if (!(records as Project[]).some((project) => project.id === id && project.teamId === teamId)) {
      throw new UserError(`The team ${name} has no project with the id "${id}".`)
    }
  }
  const { removed } = await call('removeRecord', { kind: 'projects', key: id })
  printMessage(`Removed the project ${printable(id)}. "npx dashboard-api undo" takes it back.`)
  await show({ data: { removed }, lines: [id] }, json)
}

async function showProject(message: string, record: object, json?: boolean): Promise<void> {
  printMessage(printable(message))
  await show({ data: { project: record }, lines: [(record as Project).id] }, json)
}

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
