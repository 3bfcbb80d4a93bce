import { jsonOf, withJson } from '../broken-server-proxy.js'
import {
  type BrokenServer,
  codeOf,
  fieldsOf,
  is,
  nameTaken,
  projectsFor,
  withCookie,
} from './broken-server.js'

export const teamServers: BrokenServer[] = [
  {
    name: 'a header has the latest project of any team',
    caughtBy: 'No response tells of another team, its users or its projects',
    behave: () => {
      let latest = ''
      return async (request, send) => {
        const response = await send(request)
        if (is('createProject')(request) && response.status === 201)
          latest = Object(jsonOf(response)).project.id
        return { ...response, headers: { ...response.headers, 'x-latest': latest } }
      }
    },
  },
  {
    name: 'the refusal of a foreign project names its team',
    caughtBy: 'No response tells of another team, its users or its projects',
    behave:
      ({ cookieOf: of }) =>
      async (request, send) => {
        const response = await send(request)
        if (codeOf(response) !== 'PROJECT_NOT_FOUND') return response
        const foreign = (await projectsFor(withCookie(request, of('other-owner')), send)).find(({ id }) =>
          request.path.endsWith(id),
        ) as { teamId?: string } | undefined
        if (!foreign) return response
        return withJson(response, { ...Object(jsonOf(response)), error: `It belongs to ${foreign.teamId}.` })
      },
  },
  {
    name: 'the refusal of a foreign project has a version',
    caughtBy: 'The refusal of a project of another team has the headers of an unknown one',
    behave:
      ({ cookieOf: of }) =>
      async (request, send) => {
        const response = await send(request)
        if (codeOf(response) !== 'PROJECT_NOT_FOUND') return response
        const foreign = await projectsFor(withCookie(request, of('other-owner')), send)
        return foreign.some(({ id }) => request.path.endsWith(id))
          ? { ...response, headers: { ...response.headers, etag: '"1"' } }
          : response
      },
  },
  {
    name: 'an update may not take the name of a project of another team',
    caughtBy: 'A project may take a name that another team has',
    behave:
      ({ cookieOf: of }) =>
      async (request, send) => {
        const { name } = fieldsOf(request)
        if (!is('updateProject')(request) || typeof name !== 'string') return send(request)
        const foreign = await projectsFor(withCookie(request, of('other-owner')), send)
        return foreign.some((project) => project.name.toUpperCase() === name.toUpperCase())
          ? nameTaken(request, send)
          : send(request)
      },
  },
]
