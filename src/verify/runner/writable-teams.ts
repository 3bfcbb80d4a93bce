import type { Project } from '../../contract/schemas.js'
import type { Persona } from '../cases/case.js'
import { callerNames, type TestData } from '../cases/test-data.js'
import { DeploymentError, MissingDataError, type SendRequest } from './discover.js'
import { type Remains, type Workspace, WorkspaceFault, workspaces } from './workspace.js'

/** The teams that cases write to. Its members report faults of the service and never throw them. */
export type WritableTeams = {
  /** Why the teams could not be prepared: violations, one sentence each. */
  preparationFaults: readonly string[]
  /** Frees the names that cases have used. Returns the projects of the teams, by their ids. */
  cleanUp(): Promise<Map<string, Project[]>>
  /** The violations that clean-ups have met, one sentence each. */
  cleanUpFaults(): string[]
  /** Restores the projects that were there before, as far as the interface can. */
  restore(): Promise<Remains>
}

/**
 * Prepares the teams of the two owners for the cases that write.
 * @param data the session bundles of the callers
 * @param teams the ids of the teams that may be written to; if left out, any team without other projects
 * @throws DeploymentError where the callers or their teams are not made for it
 */
export async function openWritableTeams(
  personas: ReadonlySet<Persona>,
  data: TestData,
  send: SendRequest,
  teams: readonly string[] | undefined,
): Promise<WritableTeams> {
  const all = workspaces(personas, send)
  const preparationFaults: string[] = []
  const cleanUpFaults = new Set<string>()

  for (const as of personas) {
    await collect(preparationFaults, () => checkCaller(as, data, teams))
  }
  if (preparationFaults.length === 0) preparationFaults.push(...sharedTeamFaults(all, data))
  for (const prepare of [
    ({ as, inspect }: Workspace) => inspect(data.bundle(as).teamId),
    (workspace: Workspace) => workspace.prepare(),
  ]) {
    for (const workspace of all) {
      if (preparationFaults.length === 0) await collect(preparationFaults, () => prepare(workspace))
    }
  }
  return {
    preparationFaults,
    async cleanUp() {
      const projects = new Map<string, Project[]>()
      if (preparationFaults.length > 0) return projects
      const cleanedUp = all.map(async ({ as, cleanUp }) =>
        projects.set(data.bundle(as).teamId, await cleanUp()),
      )
      for (const result of await Promise.allSettled(cleanedUp)) {
        if (result.status === 'rejected') cleanUpFaults.add((result.reason as Error).message)
      }
      return projects
    },
    cleanUpFaults: () => [...cleanUpFaults],
    async restore() {
      const remains: Remains = { projects: [], changes: [] }
      for (const workspace of all) {
        const { projects, changes } = await workspace.restore()
        remains.projects.push(...projects)
        remains.changes.push(...changes)
      }
      return remains
    },
  }
}

/** The two owners need a team each: the cases of one must not find the projects of the other. */
function sharedTeamFaults([first, second]: readonly Workspace[], data: TestData): string[] {
  if (!first || !second) return []
  const { teamId } = data.bundle(first.as)
  return teamId === data.bundle(second.as).teamId
    ? [`the bundles of ${callerNames[first.as]} and ${callerNames[second.as]} have the same team, ${teamId}`]
    : []
}

/** Runs a part of the preparation. A fault of the service ends it and is added to `faults`. */
async function collect(faults: string[], run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof WorkspaceFault || error instanceof MissingDataError)) throw error
    faults.push(error.message)
  }
}

/**
 * The bundle says what a caller may do: a service that refuses what its bundle permits is at fault, not the caller.
 * @throws DeploymentError where the caller is not one to write with
 */
async function checkCaller(as: Persona, data: TestData, teams: readonly string[] | undefined): Promise<void> {
  if (as === 'expired') return
  const { teamId, permissions } = data.bundle(as)
  if (teams && teamId !== '' && !teams.includes(teamId)) {
    throw new DeploymentError(
      `${callerNames[as]} is in the team ${teamId}, which --team does not name.`,
      'Give the cookies of members of the teams that were created for verification.',
    )
  }
  if (as !== 'acme-owner' && as !== 'globex-owner') return
  const missing = ['create:projects', 'update:projects'].filter((name) => !permissions.includes(name))
  if (missing.length === 0) return
  throw new DeploymentError(
    `The session bundle of ${callerNames[as]} does not have ${missing.join(' and ')}.`,
    'Give the cookie of a caller who may create and update projects.',
  )
}
