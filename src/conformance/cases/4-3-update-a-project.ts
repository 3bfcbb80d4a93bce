import type { Case } from '../case.js'
import { expectEqual, expectError, expectInvalid, expectSame, expectStatus } from '../expect.js'
import { percentEncoded, update } from '../requests.js'

// 4.3 Update a project.

export const updateCases: Case[] = [
  {
    title: 'An update of any fields, or of none, changes only these',
    requirement: 'bodies: PATCH accepts any combination',
    write: true,
    async play({ newName, newProject, change, projectsOf }) {
      let project = await newProject({ description: 'First' })
      for (const status of [{}, { status: 'on hold' }])
        for (const description of [{}, { description: 'Second' }, { description: '' }])
          for (const name of [{}, { name: newName('renamed') }]) {
            project = await change(project, { ...status, ...description, ...name }, 'updater')
            expectEqual((await projectsOf('viewer'))[0], project, 'the first project of the list')
          }
    },
  },
  {
    title: 'Any string of at least one character is a status, and each may follow each',
    requirement: 'bodies: status is a free string',
    write: true,
    async play({ send, newProject, change }) {
      let project = await newProject()
      const statuses = ['active', 'paused', 'completed', 'archived']
      for (const from of statuses)
        for (const to of statuses) {
          project = await change(project, { status: from })
          project = await change(project, { status: to }, 'member')
        }
      for (const status of ['ACTIVE', ' ', 'null', 'in Prüfung 😀', 'x'.repeat(300)])
        await change(project, { status })
      expectInvalid(await send(update('owner', project.id, { status: '' })), ['status'])
    },
  },
  {
    title: 'A project may take its own name again, in the same or another case',
    requirement: 'bodies: names are compared by their keys',
    write: true,
    async play({ newProject, change }) {
      let project = await newProject()
      for (const name of [project.name, project.name.toUpperCase(), project.name.toLowerCase()])
        project = await change(project, { name, status: 'x' })
    },
  },
  {
    title: 'A project may not take the name of another one, and stays unchanged',
    requirement: '4.1 rule 1: names are unique in a team without regard to case',
    write: true,
    async play({ send, newProject, change }) {
      const { name } = await newProject()
      const project = await newProject()
      const taking = update('owner', project.id, { name: name.toUpperCase(), status: 'changed' })
      expectError(await send(taking), 'PROJECT_NAME_TAKEN')
      await change(project, {})
    },
  },
  {
    title: 'An update that is refused changes nothing',
    requirement: '4.3 update a project',
    write: true,
    async play({ send, newProject, change }) {
      const project = await newProject()
      expectInvalid(await send(update('owner', project.id, { status: 'changed', description: null })), [
        'description',
      ])
      expectInvalid(await send(update('owner', project.id, { status: 'changed', x: 1 })), [], true)
      expectError(await send(update('viewer', project.id, { status: 'changed' })), 'INSUFFICIENT_PERMISSIONS')
      await change(project, {})
    },
  },
  {
    title: 'Concurrent updates of different fields are all stored',
    requirement: '4.3 update a project',
    write: true,
    async play({ send, newName, newProject, projectsOf }) {
      const project = await newProject()
      for (let round = 0; round < 6; round++) {
        const fields = { name: newName(), description: `d ${round}`, status: `s ${round}` }
        const updates = Object.entries(fields).map(([field, value], i) =>
          send(update(i % 2 ? 'member' : 'owner', project.id, { [field]: value })),
        )
        for (const reply of await Promise.all(updates)) expectStatus(reply, 200)
        expectEqual(
          (await projectsOf('viewer'))[0],
          { ...project, ...fields },
          'the first project of the list',
        )
      }
    },
  },
  {
    title: "Another team's project gets the response of an unknown one, byte for byte, and stays unchanged",
    requirement: 'bodies: unknown and foreign ids get the same response',
    write: true,
    async play({ send, newProject, change }) {
      const foreign = await newProject({}, 'other-owner')
      for (const fields of [{}, { name: foreign.name }, { description: 'x', status: 'y' }]) {
        const unknown = await send(update('owner', 'unknown', fields))
        expectError(unknown, 'PROJECT_NOT_FOUND')
        expectSame(await send(update('owner', foreign.id, fields)), unknown)
      }
      await change(foreign, {}, 'other-owner')
    },
  },
  {
    title: 'The id of a project in another spelling is unknown',
    requirement: 'bodies: unknown and foreign ids get the same response',
    write: true,
    async play({ send, newProject, change }) {
      const project = await newProject()
      const { id } = project
      const spellings = [
        id.toUpperCase(),
        id.replaceAll('-', ''),
        id.slice(0, -1),
        `${id}0`,
        `%20${id}`,
        `${id}%20`,
        `${id}%00`,
        `${id}%2F`,
        `${id}.json`,
        `${id};a=b`,
        `%22${id}%22`,
        `${id},${id}`,
        `urn:uuid:${id}`,
        percentEncoded(percentEncoded(id)),
      ]
      for (const spelling of spellings.filter((spelling) => spelling !== id))
        expectError(await send(update('owner', spelling, { status: 'x' })), 'PROJECT_NOT_FOUND')
      await change(project, {})
    },
  },
  {
    title: 'No project has an unknown id, also one that cannot be decoded, and none is created',
    requirement: 'bodies: unknown and foreign ids get the same response',
    write: true,
    async play({ send, newName, projectsOf }) {
      const before = await projectsOf('owner')
      const ids = [
        'unknown',
        '0198c0de-0000-7000-8000-0000000000ff',
        '0',
        '-1',
        '*',
        '%00',
        'a%2Fb',
        '%27%20OR%201=1--',
      ]
      const words = ['__proto__', 'undefined', 'null', 'me', 'latest', '%F0%9F%98%80', 'a'.repeat(4000)]
      for (const id of [...ids, ...words, '%E0%A4%A', '%', '%zz', '%FF']) {
        expectError(await send(update('owner', id, { name: newName() })), 'PROJECT_NOT_FOUND')
        expectError(await send(update(undefined, id, {})), 'AUTH_REQUIRED')
      }
      expectEqual(await projectsOf('owner'), before, 'the list')
    },
  },
  {
    title: 'A blank id is an empty filter, and changes nothing of any team',
    requirement: 'bodies: a blank id is an empty filter',
    write: true,
    async play({ send, projectsOf }) {
      const before = [await projectsOf('owner'), await projectsOf('other-owner')]
      for (const id of ['', '%20', '%09', '%20%20', '%0A', '%C2%A0', '%E3%80%80'])
        expectError(await send(update('owner', id, { status: 'archived' })), 'EMPTY_QUERY_FILTER')
      expectEqual([await projectsOf('owner'), await projectsOf('other-owner')], before, 'the lists')
    },
  },
  {
    title: 'An id may be percent-encoded, also in part',
    requirement: '4.3 update a project',
    write: true,
    async play({ send, newProject }) {
      const { id } = await newProject()
      for (const spelling of [percentEncoded(id), percentEncoded(id).toUpperCase(), id.replace('-', '%2D')])
        expectStatus(await send(update('owner', spelling, {})), 200)
    },
  },
]
