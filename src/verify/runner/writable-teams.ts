import type { Project } from '../../contract/schemas.js'
import type { Persona } from '../cases/case.js'
import { callerNames, type TestData, testProjectNames } from '../cases/test-data.js'
import { DeploymentError, MissingDataError, type SendRequest } from './discover.js'
import { createWorkspace, type Remains, WorkspaceFault } from './workspace.js'

/**
 * Prepares the teams of the two owners for the cases that write. The members of the result report faults of the
 * service, one sentence each, and never throw them.
 * @param data the session bundles of the callers
 * @param teams the ids of the teams that may be written to; if left out, any team without other projects
 * @throws DeploymentError where the callers or their teams are not made for it
 */
export async function openWritableTeams(
  personas: ReadonlySet<Persona>,
  data: TestData,
  send: SendRequest,
  teams: readonly string[] | undefined,
) {
  const all = [
    ...(personas.has('acme-owner') ? [createWorkspace('acme-owner', testProjectNames.own, send)] : []),
    ...(personas.has('globex-owner')
      ? [createWorkspace('globex-owner', testProjectNames.foreign, send)]
      : []),
  ]
  const teamOf = (as: Persona) => data.bundle(as).teamId
  const preparationFaults: string[] = []
  const cleanUpFaults = new Set<string>()

  try {
    for (const as of personas) checkCaller(as, data, teams)
    const [first, second] = all
    // The cases of one team must not find the projects of the other.
    if (first && second && teamOf(first.as) === teamOf(second.as))
      throw new WorkspaceFault(
        `the bundles of ${callerNames[first.as]} and ${callerNames[second.as]} have the same team, ${teamOf(first.as)}`,
      )
    for (const { as, inspect } of all) await inspect(teamOf(as))
    for (const { prepare } of all) await prepare()
  } catch (error) {
    if (!(error instanceof WorkspaceFault || error instanceof MissingDataError)) throw error
    preparationFaults.push(error.message)
  }
  return {
    /** Why the teams could not be prepared. */
    preparationFaults: preparationFaults as readonly string[],
    /** Frees the names that cases have used. Returns the projects of the teams, by their ids. */
    async cleanUp() {
      const projects = new Map<string, Project[]>()
      if (preparationFaults.length > 0) return projects
      const cleanedUp = all.map(async ({ as, cleanUp }) => projects.set(teamOf(as), await cleanUp()))
      for (const result of await Promise.allSettled(cleanedUp)) {
        if (result.status === 'rejected') cleanUpFaults.add((result.reason as Error).message)
      }
      return projects
    },
    /** What clean-ups have met. */
    cleanUpFaults: () => [...cleanUpFaults],
    /** Restores the projects that were there before, as far as the interface can. */
    async restore(): Promise<Remains> {
      const remains = await Promise.all(all.map((workspace) => workspace.restore()))
      return {
        projects: remains.flatMap(({ projects }) => projects),
        changes: remains.flatMap(({ changes }) => changes),
      }
    },
  }
}

/**
 * The bundle says what a caller may do: a service that refuses what its bundle permits is at fault, not the caller.
 * @throws DeploymentError where the caller is not one to write with
 */
function checkCaller(as: Persona, data: TestData, teams: readonly string[] | undefined): void {
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
