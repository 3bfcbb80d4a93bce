import type { Case } from '../case.js'
import { expectError, expectInvalid } from '../expect.js'
import { create, update } from '../requests.js'

// 4.1, 8: from when to when a name is taken, and for which requests.

export const takenNameCases: Case[] = [
  {
    title: 'A name is taken for creations and updates alike, whatever its project is',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    write: true,
    async play({ send, newName, newProject, change }) {
      const other = await newProject({ description: 'Other' }, 'member')
      let project = await newProject()
      for (const fields of [
        { status: 'archived' },
        { status: 'deleted', description: 'x' },
        { name: newName('renamed'), status: 'completed' },
        { status: 'active' },
      ]) {
        project = await change(project, fields)
        for (const name of [project.name, project.name.toUpperCase()])
          for (const as of ['owner', 'updater'] as const)
            expectError(await send(update(as, other.id, { name, status: 'x' })), 'PROJECT_NAME_TAKEN')
        expectError(await send(create('creator', { name: project.name })), 'PROJECT_NAME_TAKEN')
      }
      await change(other, {})
    },
  },
  {
    title: 'A name is free until its project is created or renamed: a refused request takes none',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    write: true,
    async play({ send, newName, newProject, change }) {
      const [name, renamed] = [newName(), newName()]
      const project = await newProject()
      expectError(await send(create('viewer', { name })), 'INSUFFICIENT_PERMISSIONS')
      expectInvalid(await send(create('owner', { name, description: 5 })), ['description'])
      expectInvalid(await send(create('owner', { name, status: 'x' })), [], true)
      expectError(await send(update('owner', 'unknown', { name })), 'PROJECT_NOT_FOUND')
      expectInvalid(await send(update('owner', project.id, { name, status: '' })), ['status'])
      await newProject({ name })
      // A name that was given up is free for an update too.
      await change(project, { name: renamed })
      const [other, free] = [await newProject(), project.name]
      await change(other, { name: free })
      expectError(await send(create('owner', { name: free })), 'PROJECT_NAME_TAKEN')
    },
  },
]
