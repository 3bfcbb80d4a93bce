import type { Case } from '../case.js'
import { expectEqual, expectError, expectInvalid, expectStatus, expectTrue } from '../expect.js'
import { create } from '../requests.js'

// 4.1 Create a project. Which names are the same is in 8-names.ts.

export const createCases: Case[] = [
  {
    title: 'A project is created in the team of the caller, with the status active',
    requirement: '4.1 create a project',
    write: true,
    async play({ newProject, projectsOf }) {
      const created = await newProject({ description: 'The same' }, 'creator')
      expectEqual((await projectsOf('owner'))[0], created, 'the first project of the list')
      const others = (await projectsOf('other-owner')).map(({ id }) => id)
      expectTrue(!others.includes(created.id), `the list of another team has the project ${created.id}`)
    },
  },
  {
    title: 'The name of an existing project is taken, in any case, and no project is created',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    write: true,
    async play({ send, newName, newProject, projectsOf }) {
      const { name } = await newProject({ name: newName('Äpfel & Roadmap') })
      const before = await projectsOf('owner')
      for (const taken of [name, name.toUpperCase(), name.toLowerCase()])
        for (const as of ['owner', 'member'] as const)
          expectError(await send(create(as, { name: taken, description: 'Replaced' })), 'PROJECT_NAME_TAKEN')
      expectEqual(await projectsOf('owner'), before, 'the list')
    },
  },
  {
    title: 'A name stays taken, whatever status its project gets',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    write: true,
    async play({ send, newProject, change, projectsOf }) {
      let project = await newProject()
      for (const status of ['paused', 'completed', 'archived', 'deleted', 'inactive', 'draft']) {
        project = await change(project, { status })
        expectError(await send(create('owner', { name: project.name })), 'PROJECT_NAME_TAKEN')
        expectEqual((await projectsOf('viewer'))[0], project, 'the first project of the list')
      }
    },
  },
  {
    title: 'The old name of a renamed project is free again, and its new one is taken',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    write: true,
    async play({ send, newName, newProject, change }) {
      const project = await newProject()
      const renamed = await change(project, { name: newName('renamed') })
      await newProject({ name: project.name })
      expectError(await send(create('owner', { name: renamed.name })), 'PROJECT_NAME_TAKEN')
    },
  },
  {
    title: 'Two teams may each have a project of one name',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    write: true,
    async play({ newProject }) {
      const { name } = await newProject()
      await newProject({ name }, 'other-owner')
    },
  },
  {
    title: 'Two concurrent creations of one name may both succeed, and the list has those that did',
    requirement: '4.1 rule 2: two concurrent creations may both succeed',
    write: true,
    async play({ send, newName, projectsOf }) {
      const name = newName('Twice')
      const replies = await Promise.all(
        (['owner', 'member'] as const).map((as) => send(create(as, { name }))),
      )
      for (const reply of replies) expectStatus(reply, 201, 409)
      const created = replies.flatMap(({ status, json }) => (status === 201 ? [Object(json).project.id] : []))
      expectTrue(created.length > 0, 'neither of two concurrent creations has succeeded')
      const listed = (await projectsOf('owner'))
        .filter((project) => project.name === name)
        .map(({ id }) => id)
      expectEqual(listed.sort(), created.sort(), 'the projects of the name')
      expectError(await send(create('owner', { name: name.toUpperCase() })), 'PROJECT_NAME_TAKEN')
    },
  },
  {
    title: 'Concurrent creations of two teams are each in the list of the own team',
    requirement: '4.1 create a project',
    write: true,
    async play({ newProject, projectsOf }) {
      const callers = Array.from({ length: 12 }, (_, i) =>
        i % 3 ? ('owner' as const) : ('other-owner' as const),
      )
      const created = await Promise.all(callers.map(async (as) => ({ as, ...(await newProject({}, as)) })))
      for (const as of ['owner', 'other-owner'] as const) {
        const listed = (await projectsOf(as)).map(({ id }) => id)
        for (const { id, as: creator } of created)
          expectEqual(
            listed.includes(id),
            creator === as,
            `whether the list of ${as} has the project of ${creator}`,
          )
      }
    },
  },
  {
    title: 'Concurrent requests are refused and accepted each for itself',
    requirement: 'callers: no permission',
    write: true,
    async play({ send, newName, newProject }) {
      const [refused, signedOut, noTeam, invalid] = await Promise.all([
        send(create('viewer', { name: newName() })),
        send(create(undefined, { name: newName() })),
        send(create('no-team', { name: newName() })),
        send(create('owner', { name: '' })),
        newProject(),
        newProject({}, 'other-owner'),
      ])
      expectError(refused, 'INSUFFICIENT_PERMISSIONS')
      expectError(signedOut, 'AUTH_REQUIRED')
      expectError(noTeam, 'TEAM_MEMBERSHIP_REQUIRED')
      expectInvalid(invalid, ['name'])
    },
  },
]
