import type { Project } from '../../contract/schemas.js'
import type { Case, CaseRequest, Reply, Service } from '../case.js'
import { expectEqual, expectError, expectSame, expectTrue } from '../expect.js'
import { bundle, create, list, update } from '../requests.js'

// 5.2 The session decides about the team. No response has anything of another team.

/** Texts that stand for the other team, its users and a project of it. */
async function marksOf({ bundleOf }: Service, project: Project): Promise<string[]> {
  const { teamId, organization, user } = await bundleOf('other-owner')
  return [teamId, organization.orgCode, user.id, user.email, project.id, project.name]
}

/** Headers that depend on the connection and not on the response. */
const ofConnection = /^(connection|keep-alive|date|age|content-length|transfer-encoding)$/
const headerNames = ({ headers }: Reply) =>
  Object.keys(headers)
    .filter((name) => !ofConnection.test(name))
    .sort()

export const otherTeamCases: Case[] = [
  {
    title: 'No response tells of another team, its users or its projects',
    requirement: '5.2 the session decides about the team',
    write: true,
    async play(service) {
      const { send, newName, newProject } = service
      const own = await newProject()
      const foreign = await newProject({}, 'other-owner')
      const marks = await marksOf(service, foreign)
      const { id, name, teamId } = foreign
      const requests: CaseRequest[] = [
        ...(['owner', 'viewer', 'no-team', 'no-organization', undefined] as const).flatMap((as) => [
          list(as),
          bundle(as),
          create(as, { name: '' }),
          create(as, { name: own.name }),
          create(as, { name: newName(), teamId }),
          update(as, id, { name: own.name }),
          update(as, id, { name }),
          update(as, 'unknown', { status: 'x' }),
          { ...list(as), path: `/v1/projects?teamId=${teamId}` },
          { ...list(as), path: `/v1/projects/${id}` },
          { ...list(as), path: `/v1/teams/${teamId}` },
        ]),
        create('owner', { name }),
      ]
      for (const request of requests) {
        const { text, headers, to } = await send(request)
        const sent = request.path + JSON.stringify(request.json)
        const told = marks.find(
          (mark) => !sent.includes(mark) && `${text} ${Object.values(headers)}`.includes(mark),
        )
        expectTrue(told === undefined, `${to}: the response has ${told} of another team`)
      }
    },
  },
  {
    title: 'The refusal of a project of another team has the headers of an unknown one',
    requirement: 'bodies: unknown and foreign ids get the same response',
    write: true,
    async play({ send, newProject }) {
      const { id } = await newProject({}, 'other-owner')
      for (const as of ['owner', 'updater'] as const) {
        const [foreign, unknown] = [await send(update(as, id, {})), await send(update(as, 'unknown', {}))]
        expectSame(foreign, unknown)
        expectEqual(headerNames(foreign), headerNames(unknown), `${foreign.to}: the names of its headers`)
      }
      for (const as of ['viewer', 'creator'] as const)
        expectError(await send(update(as, id, {})), 'INSUFFICIENT_PERMISSIONS')
    },
  },
  {
    title: 'A project may take a name that another team has',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    write: true,
    async play({ newProject, change }) {
      const { name } = await newProject({}, 'other-owner')
      await change(await newProject(), { name: name.toUpperCase() })
    },
  },
]
