import type { Case } from '../case.js'
import { expectEqual, expectError, expectSame, expectTrue } from '../expect.js'
import { bundle, create, list } from '../requests.js'

// 4.2 List projects. That a list is newest first is checked of every one (every-response.ts).

export const listCases: Case[] = [
  {
    title:
      'The list has every project of the team, the newest first, and keeps its order when one is updated',
    requirement: '4.2 list projects, newest first',
    write: true,
    async play({ newProject, change, projectsOf }) {
      const created = []
      for (let i = 0; i < 12; i++) created.unshift(await newProject({}, i % 2 ? 'owner' : 'creator'))
      const last = created.pop()
      if (last) created.push(await change(last, { status: 'completed' }, 'updater'))
      expectEqual((await projectsOf('viewer')).slice(0, 12), created, 'the first projects of the list')
    },
  },
  {
    title: 'A list has a hundred projects and more, and the name of each is taken',
    requirement: '4.2 list projects, newest first',
    write: true,
    async play({ send, newProject, projectsOf, bundleOf }) {
      const created = await Promise.all(Array.from({ length: 110 }, () => newProject()))
      const listed = new Set((await projectsOf('owner')).map(({ id }) => id))
      const bundled = new Set((await bundleOf('owner')).projects.map(({ id }) => id))
      for (const { id } of created)
        expectTrue(listed.has(id) && bundled.has(id), `the list has no project ${id}`)
      const oldest = created.reduce((first, project) => (project.id < first.id ? project : first))
      expectError(await send(create('owner', { name: oldest.name })), 'PROJECT_NAME_TAKEN')
    },
  },
  {
    title: 'The list has no project of another team',
    requirement: '4.2 list projects, newest first',
    async play({ projectsOf, bundleOf }) {
      for (const as of ['owner', 'other-owner'] as const) {
        const { teamId } = await bundleOf(as)
        for (const project of await projectsOf(as))
          expectEqual(project.teamId, teamId, `the team of ${project.id}`)
      }
    },
  },
  {
    title: 'The members of a team have the same list',
    requirement: '4.2 list projects, newest first',
    async play({ projectsOf }) {
      const expected = await projectsOf('owner')
      for (const as of ['member', 'viewer', 'creator', 'updater', 'near-miss'] as const)
        expectEqual(await projectsOf(as), expected, `the list of ${as}`)
    },
  },
  {
    title: 'A new project is in the next list of every member, and in none of another team',
    requirement: '4.2 list projects, newest first',
    write: true,
    async play({ newProject, projectsOf }) {
      const before = await projectsOf('other-owner')
      await projectsOf('viewer')
      const { id } = await newProject()
      expectEqual((await projectsOf('viewer'))[0]?.id, id, 'the first project of the list')
      expectEqual(await projectsOf('other-owner'), before, 'the list of another team')
    },
  },
  {
    title: 'Reads of several callers at the same time have the data of each',
    requirement: '5 the session cookie',
    async play({ send }) {
      const requests = (['owner', 'other-owner', 'viewer', 'no-team'] as const).flatMap((as) => [
        list(as),
        bundle(as),
      ])
      const alone = []
      for (const request of requests) alone.push(await send(request))
      for (let round = 0; round < 3; round++) {
        const together = await Promise.all(requests.map(send))
        for (const [i, reply] of together.entries()) expectSame(reply, alone[i] ?? reply)
      }
    },
  },
  {
    title: 'The body of a GET request is ignored',
    requirement: '4.2 list projects, newest first',
    async play({ send }) {
      for (const request of [list('owner'), bundle('owner')]) {
        const plain = await send(request)
        expectSame(await send({ ...request, json: { limit: 1 }, raw: true }), plain)
        expectSame(await send({ ...request, bytes: '{"broken', raw: true }), plain)
        expectSame(await send({ ...request, bytes: 'x', type: 'text/plain', raw: true }), plain)
      }
    },
  },
]
