import type { Case } from '../case.js'
import { expectEqual, expectTrue } from '../expect.js'

// 2. Resources and their fields. That a project has exactly six fields, and a bundle those of its mode, is checked of
// every response (every-response.ts).

export const resourceCases: Case[] = [
  {
    title: 'A project is alike in the responses to its creation, to its update and to the list',
    requirement: '2.1 a project has exactly six fields',
    write: true,
    async play({ newProject, change, projectsOf }) {
      const created = await newProject({ description: 'First' })
      expectEqual((await projectsOf('owner'))[0], created, 'the first project of the list')
      const changed = await change(created, { status: 'paused' })
      expectEqual((await projectsOf('owner'))[0], changed, 'the first project of the list')
    },
  },
  {
    title: 'A description that is not given is null, and an empty one is empty',
    requirement: '2.1 a project has exactly six fields',
    write: true,
    async play({ newProject, projectsOf }) {
      await newProject()
      await newProject({ description: '' })
      const descriptions = (await projectsOf('owner')).slice(0, 2).map(({ description }) => description)
      expectEqual(descriptions, ['', null], 'the descriptions in the list')
    },
  },
  {
    title: 'The projects of a new project and of its team have the id of the team',
    requirement: '2.1 a project has exactly six fields',
    write: true,
    async play({ newProject, bundleOf, projectsOf }) {
      const { teamId } = await bundleOf('owner')
      expectEqual((await newProject()).teamId, teamId, 'the team of a new project')
      for (const project of await projectsOf('owner'))
        expectEqual(project.teamId, teamId, `the team of ${project.id}`)
    },
  },
  {
    title: 'Ids are UUIDs of version 7 and ascend, and times have milliseconds in UTC',
    requirement: 'responses: ids and times',
    write: true,
    async play({ newProject }) {
      const projects = []
      for (let i = 0; i < 8; i++) projects.push(await newProject())
      const ids = projects.map(({ id }) => id)
      expectEqual(ids, [...ids].sort(), 'the order of the ids')
      expectTrue(
        projects.some(({ createdAt }) => !createdAt.endsWith('000Z')),
        'every createdAt is a whole second',
      )
    },
  },
  {
    title: 'The bundle has the projects of the list, by id and name, in the same order',
    requirement: 'responses: bundle and list agree',
    async play({ bundleOf, projectsOf }) {
      for (const as of ['owner', 'other-owner', 'viewer'] as const) {
        const expected = (await projectsOf(as)).map(({ id, name }) => ({ id, name }))
        expectEqual((await bundleOf(as)).projects, expected, `the projects in the bundle of ${as}`)
      }
    },
  },
  {
    title: 'The bundle has a new project, and the new name of one',
    requirement: 'responses: bundle and list agree',
    write: true,
    async play({ newProject, newName, change, bundleOf }) {
      const project = await newProject()
      const { id, name } = project
      expectEqual((await bundleOf('member')).projects[0], { id, name }, 'the first project of the bundle')
      const renamed = await change(project, { name: newName('renamed') })
      const first = { id, name: renamed.name }
      expectEqual((await bundleOf('member')).projects[0], first, 'the first project of the bundle')
    },
  },
]
