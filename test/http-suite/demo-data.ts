import demo from '../../fixtures/demo.json' with { type: 'json' }
import { type Persona, type TestData, testProjectNames } from '../../src/conformance/cases/test-data.js'
import { newestFirst } from './newest-first.js'

const projectNamed = (name: string) => {
  const project = demo.projects.find((candidate) => candidate.name === name)
  if (!project) throw new Error(`The demo fixture has no project "${name}"`)
  return project
}

/** The session, the user and the team of a persona. */
function personaNamed(id: Persona) {
  const session = demo.sessions.find((candidate) => candidate.id === id)
  const user = demo.users.find((candidate) => candidate.id === session?.userId)
  if (!session || !user) throw new Error(`The demo fixture has no persona "${id}"`)
  return { session, user, team: demo.teams.find(({ orgCode }) => orgCode === session.orgCode) }
}

const projects = (as: Persona) => {
  const { team } = personaNamed(as)
  return newestFirst(demo.projects.filter(({ teamId }) => teamId === team?.id))
}

/** The test data of a service that was started with the demo fixture, computed from the file. */
export const demoData: TestData = {
  bundle(as) {
    const { session, user, team } = personaNamed(as)
    return {
      user,
      organization: { orgCode: session.orgCode ?? '' },
      permissions: session.permissions,
      teamId: team?.id ?? '',
      projects: projects(as).map(({ id, name }) => ({ id, name })),
    }
  },
  projects,
  ownProject: projectNamed(testProjectNames['acme-owner'][0]),
  foreignProject: projectNamed(testProjectNames['globex-owner'][0]),
}
