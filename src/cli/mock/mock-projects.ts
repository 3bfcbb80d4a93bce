import type { Project } from '../../contract/schemas.js'
import type { Team } from '../../store/state-file.js'
import { printMessage, show, showTable } from '../output/output.js'
import { printable } from '../output/printable.js'
import { projectColumns } from '../output/project-columns.js'
import { Failure, UserError } from '../user-error.js'
import { controlMock, type MockAddress } from './control-mock.js'

type Options = MockAddress & { team?: string; json?: boolean }
type Fields = { name?: string; description?: string | false; status?: string }

/** Prints the projects of a team of a running mock, newest first. */
export async function showMockProjects({ team: key, json, ...address }: Options): Promise<void> {
  const call = controlMock(address)
  const team = key === undefined ? await activeTeam(call) : await teamNamed(call, key)
  const { records } = await call('data', { kind: 'projects', sort: '-createdAt' })
  const projects = (records as Project[]).filter(({ teamId }) => teamId === team.id)
  const list = { columns: projectColumns, rows: projects, emptyText: 'The team has no project.' }
  await showTable({ data: { team, projects }, ...list }, json)
}

/** Adds a project to a team of a running mock, by default that of the active persona. */
export async function addMockProject(
  name: string,
  {
    team: key,
    json,
    id,
    createdAt,
    description,
    status,
    ...address
  }: Options & Fields & { id?: string; createdAt?: string },
): Promise<void> {
  const call = controlMock(address)
  const team = key === undefined ? await activeTeam(call) : await teamNamed(call, key)
  const fields = { id, name, description, status, teamId: team.id, createdAt }
  const { record } = await call('addRecord', { kind: 'projects', record: fields })
  const project = record as Project
  printMessage(`Added the project "${printable(project.name)}" to the team ${printable(team.name)}.`)
  await show({ data: { project }, lines: [project.id] }, json)
}

/** Changes fields of a project of a running mock. */
export async function setMockProject(
  id: string,
  { team: key, json, name, description, status, ...address }: Options & Fields,
): Promise<void> {
  const call = controlMock(address)
  const fields = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description === false ? null : description }),
    ...(status !== undefined && { status }),
    ...(key !== undefined && { teamId: (await teamNamed(call, key)).id }),
  }
  if (Object.keys(fields).length === 0) {
    throw new UserError('Name a field to change.', 'For example --status paused.')
  }
  const { record } = await call('setRecord', { kind: 'projects', key: id, fields })
  const project = record as Project
  printMessage(`Changed the project "${printable(project.name)}".`)
  await show({ data: { project }, lines: [project.id] }, json)
}

/** Removes a project of a running mock. With `team`, only one of this team. */
export async function removeMockProject(id: string, { team: key, json, ...address }: Options): Promise<void> {
  const call = controlMock(address)
  if (key !== undefined) {
    const { id: teamId, name } = await teamNamed(call, key)
    const { records } = await call('data', { kind: 'projects', search: id })
    if (!(records as Project[]).some((project) => project.id === id && project.teamId === teamId)) {
      throw new UserError(`The team ${name} has no project with the id "${id}".`)
    }
  }
  const { removed } = await call('removeRecord', { kind: 'projects', key: id })
  printMessage(`Removed the project ${printable(id)}. "npx dashboard-api undo" takes it back.`)
  await show({ data: { removed }, lines: [id] }, json)
}

type Call = ReturnType<typeof controlMock>

async function teamNamed(call: Call, key: string): Promise<Team> {
  const teams = await teamsOf(call)
  const team = teams.find(({ orgCode }) => orgCode === key) ?? teams.find(({ id }) => id === key)
  if (team) return team
  throw new UserError(
    `The mock has no team with the organisation code or the id "${key}".`,
    `Choose one of: ${teams.map(({ orgCode }) => orgCode).join(', ')}.`,
  )
}

async function activeTeam(call: Call): Promise<Team> {
  const [{ active, sessions }, teams] = [await call('sessions'), await teamsOf(call)]
  const orgCode = sessions.find(({ id }) => id === active)?.orgCode
  const team = teams.find((candidate) => candidate.orgCode === orgCode)
  if (team) return team
  throw new Failure(
    active === undefined ? 'The mock has no active persona.' : `The active persona, ${active}, has no team.`,
    'Name the team with --team.',
  )
}

const teamsOf = async (call: Call) => (await call('data', { kind: 'teams' })).records as Team[]
