import { additionsOf, identities, rights } from '../additions.js'
import type { Case } from '../case.js'
import { expectEqual, expectError, expectSame, expectStatus } from '../expect.js'
import { bundle, create, list, update } from '../requests.js'

// A request is its method, its path, the session cookie, the content type and the body (sections 4 and 5). Nothing else of
// it decides: who calls, for which team, with which permissions, or which record it is about.

const requirement = 'responses: query parameters and headers are ignored'

export const additionCases: Case[] = [
  {
    title: 'Reads do not change with query parameters and headers',
    requirement,
    async play(service) {
      const { send } = service
      const additions = await additionsOf(service)
      for (const request of [
        list('owner'),
        bundle('viewer'),
        list('no-team'),
        bundle('no-organization'),
        list(),
        bundle(),
      ]) {
        const plain = await send(request)
        for (const { query, headers } of additions)
          expectSame(await send({ ...request, path: request.path + query, headers }), plain)
      }
    },
  },
  {
    title: 'Other cookies choose no team and no user',
    requirement,
    async play(service) {
      const { send, cookieOf } = service
      for (const request of [list('owner'), bundle('viewer'), list('no-team'), list()]) {
        const plain = await send(request)
        const session = request.as ? [cookieOf(request.as)] : []
        for (const { query } of [...(await identities(service)), ...rights]) {
          const cookies = [[...session, ...query.slice(1).split('&')].join('; ')]
          expectSame(await send({ ...request, cookies, raw: true }), plain)
        }
      }
    },
  },
  {
    title: 'A creation takes its fields from the body and its team from the session',
    requirement,
    write: true,
    async play(service) {
      const { send, newName, newProject, bundleOf, projectsOf } = service
      const { teamId } = await bundleOf('owner')
      const { id, createdAt } = await newProject()
      const others = await projectsOf('other-owner')
      const fields = `?id=${id}&createdAt=${createdAt}&status=archived&description=x&name=x`
      const additions = [...(await additionsOf(service)), { query: fields, headers: { 'x-id': id } }]
      for (const { query, headers } of additions) {
        const name = newName()
        const request = create('owner', { name })
        const reply = await send({ ...request, path: request.path + query, headers })
        expectStatus(reply, 201)
        const { project } = Object(reply.json)
        const expected = { ...project, name, teamId, description: null, status: 'active' }
        expectEqual(project, expected, `${reply.to}: the project`)
        expectEqual((await projectsOf('viewer'))[0], expected, 'the first project of the list')
      }
      expectEqual(await projectsOf('other-owner'), others, 'the list of another team')
    },
  },
  {
    title: 'An update takes its project from the path and its fields from the body',
    requirement,
    write: true,
    async play(service) {
      const { send, newProject, projectsOf } = service
      const { id } = await newProject()
      let project = await newProject({ description: 'First' })
      const fields = `?id=${id}&projectId=${id}&status=archived&description=x&name=x&upsert=true`
      const additions = [...(await additionsOf(service)), { query: fields, headers: { 'x-project-id': id } }]
      for (const [i, { query, headers }] of additions.entries()) {
        const reply = await send({ ...update('owner', project.id + query, { status: `${i}` }), headers })
        expectStatus(reply, 200)
        project = { ...project, status: `${i}` }
        expectEqual(reply.json, { project }, `${reply.to}: the body`)
        expectEqual((await projectsOf('viewer'))[0], project, 'the first project of the list')
      }
    },
  },
  {
    title: 'A refused change is refused alike with any query parameters and headers',
    requirement,
    write: true,
    async play(service) {
      const { send, newName, newProject } = service
      const additions = await additionsOf(service)
      const { id, name } = await newProject()
      const foreign = await newProject({}, 'other-owner')
      const fresh = { name: newName() }
      const refused = [
        create(undefined, fresh),
        create('viewer', fresh),
        create('updater', fresh),
        create('no-team', fresh),
        create('no-organization', fresh),
        create('owner', { name }),
        create('owner', { ...fresh, id }),
        update('viewer', id, {}),
        update('creator', id, {}),
        update('owner', foreign.id, {}),
      ]
      for (const request of refused) {
        const plain = await send(request)
        for (const { query, headers } of additions)
          expectSame(await send({ ...request, path: request.path + query, headers }), plain)
      }
    },
  },
  {
    title: 'Two requests with one key of idempotency are two requests',
    requirement,
    write: true,
    async play({ send, newName, projectsOf }) {
      const key = newName('key')
      const headers = { 'idempotency-key': key, 'x-idempotency-key': key, 'x-request-id': key }
      const names = [newName(), newName()]
      for (const name of names) expectStatus(await send({ ...create('owner', { name }), headers }), 201)
      const listed = (await projectsOf('owner')).slice(0, 2).map((project) => project.name)
      expectEqual(listed, names.reverse(), 'the first names of the list')
      const again = await send({ ...create('owner', { name: names[0] }), headers })
      expectError(again, 'PROJECT_NAME_TAKEN')
    },
  },
  {
    title: 'No header, query parameter or property of a body is a session',
    requirement,
    write: true,
    async play({ send, cookieOf, newName }) {
      const session = cookieOf('owner').replace('session=', '')
      const headers = { authorization: `Bearer ${session}`, 'x-session': session, 'x-api-key': session }
      const path = `/v1/projects?session=${session}&token=${session}&access_token=${session}`
      expectError(await send({ method: 'GET', path, headers }), 'AUTH_REQUIRED')
      const body = { name: newName(), session, token: session, cookie: `session=${session}` }
      expectError(await send({ ...create(undefined, body), path, headers }), 'AUTH_REQUIRED')
    },
  },
]
