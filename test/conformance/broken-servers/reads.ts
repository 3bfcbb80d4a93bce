import { jsonOf, type ProxyResponse, withJson } from '../broken-server-proxy.js'
import {
  type BrokenServer,
  cookieOf,
  is,
  onResponse,
  type Project,
  projectsFor,
  withCookie,
} from './broken-server.js'

export const readServers: BrokenServer[] = [
  {
    name: 'the list has the projects of all teams',
    caughtBy: 'The list has no project of another team',
    behave:
      ({ cookieOf: of }) =>
      async (request, send) => {
        const response = await send(request)
        if (!is('listProjects')(request) || response.status !== 200) return response
        const other = cookieOf(request) === of('other-owner') ? 'owner' : 'other-owner'
        const all = [
          ...Object(jsonOf(response)).projects,
          ...(await projectsFor(withCookie(request, of(other)), send)),
        ] as Project[]
        return withJson(response, { projects: all.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)) })
      },
  },
  {
    name: 'responses may be cached by browsers',
    caughtBy: 'The members of a team have the same list',
    behave: onResponse((response) => ({
      ...response,
      headers: { ...response.headers, 'cache-control': 'private, max-age=60' },
    })),
  },
  {
    name: 'responses are cached by URL, not by caller',
    caughtBy: 'The bundle has the permissions of the caller',
    behave: () => {
      const cache = new Map<string, ProxyResponse>()
      return async (request, send) => {
        if (request.method !== 'GET') cache.clear()
        const response = cache.get(request.path) ?? (await send(request))
        if (request.method === 'GET' && response.status === 200) cache.set(request.path, response)
        return response
      }
    },
  },
  {
    name: 'an update moves a project to the top of the list',
    caughtBy:
      'The list has every project of the team, the newest first, and keeps its order when one is updated',
    behave: () => {
      let updated: string | undefined
      return async (request, send) => {
        const response = await send(request)
        if (is('updateProject')(request) && response.status === 200)
          updated = Object(jsonOf(response)).project.id
        if (!is('listProjects')(request) || response.status !== 200) return response
        const { projects } = jsonOf(response) as { projects: Project[] }
        return withJson(response, {
          projects: [
            ...projects.filter(({ id }) => id === updated),
            ...projects.filter(({ id }) => id !== updated),
          ],
        })
      }
    },
  },
  {
    name: 'the query parameter limit is obeyed',
    caughtBy: 'Reads do not change with query parameters and headers',
    behave: () => async (request, send) => {
      const response = await send(request)
      return request.path.includes('limit=1')
        ? withJson(response, { projects: Object(jsonOf(response)).projects.slice(0, 1) })
        : response
    },
  },
]
