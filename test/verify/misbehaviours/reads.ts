import { jsonOf, type ProxyRequest, type ProxyResponse, withJson } from '../broken-server-proxy.js'
import { cookieOf, is, listPath, type Misbehaviour, type Project } from './misbehaviour.js'

const fresh = /newest first|creat|bundle/i

/** Changes the projects of the list. */
const onList =
  (edit: (projects: Project[]) => Project[]): Misbehaviour['behave'] =>
  () =>
  async (request, send) => {
    const response = await send(request)
    if (request.method !== 'GET' || !request.path.startsWith(listPath) || response.status !== 200)
      return response
    return withJson(response, { projects: edit(Object(jsonOf(response)).projects) })
  }

/** Caches GET responses. @param keyOf what the cache is keyed by @param clears the requests that empty it */
const cachedBy =
  (
    keyOf: (request: ProxyRequest) => string,
    clears: (request: ProxyRequest, key: string) => boolean,
  ): Misbehaviour['behave'] =>
  () => {
    const cache = new Map<string, ProxyResponse>()
    return async (request, send) => {
      for (const key of cache.keys()) if (clears(request, key)) cache.delete(key)
      if (request.method !== 'GET' || !request.path.startsWith('/v1/')) return send(request)
      const cached = cache.get(keyOf(request))
      if (cached) return cached
      const response = await send(request)
      if (response.status === 200) cache.set(keyOf(request), response)
      return response
    }
  }

const pathAndCaller = (request: ProxyRequest) => `${request.path} ${cookieOf(request)}`

const orderedBy = (field: 'name' | 'status' | 'id') => (projects: Project[]) =>
  projects.sort((a, b) => (a[field] < b[field] ? -1 : 1))

export const readMisbehaviours: Misbehaviour[] = [
  {
    name: 'responses are cached by URL, not by caller',
    tries: fresh,
    behave: cachedBy(
      ({ path }) => path,
      ({ method }) => method !== 'GET',
    ),
  },
  {
    name: 'responses are cached for good',
    tries: /newest first|bundle/,
    behave: cachedBy(pathAndCaller, () => false),
  },
  {
    name: 'an update does not empty the cache',
    tries: /newest first|changes only/,
    behave: cachedBy(pathAndCaller, ({ method }) => method === 'POST'),
  },
  {
    name: 'a creation does not empty the cache',
    tries: /newest first|two Cookie headers: bundle/,
    behave: cachedBy(pathAndCaller, ({ method }) => method === 'PATCH'),
  },
  {
    name: 'changes empty the cache of their own caller only',
    tries: /newest first|mock's bundle of|changes only/,
    behave: cachedBy(
      pathAndCaller,
      (request, key) => request.method !== 'GET' && key.endsWith(` ${cookieOf(request)}`),
    ),
  },
  {
    name: 'the bundle is cached for good',
    tries: /bundle/,
    behave: cachedBy(
      (request) => (is('getSession')(request) ? (cookieOf(request) ?? '') : `${Math.random()}`),
      () => false,
    ),
  },
  {
    name: 'the list is oldest first',
    tries: /newest first|first one/,
    behave: onList((projects) => projects.reverse()),
  },
  {
    name: 'the list is ordered by name',
    tries: /newest first|first one/,
    behave: onList(orderedBy('name')),
  },
  {
    name: 'the list is ordered by status',
    tries: /newest first|first one/,
    behave: onList(orderedBy('status')),
  },
  {
    name: 'the list is ordered by id, ascending',
    tries: /newest first|first one/,
    behave: onList(orderedBy('id')),
  },
  {
    name: 'the list is shuffled',
    tries: /newest first|first one/,
    behave: onList((projects) =>
      projects
        .map((project) => ({
          project,
          at: Math.sin(project.id.charCodeAt(35) * 7 + project.id.charCodeAt(34)),
        }))
        .sort((a, b) => a.at - b.at)
        .map(({ project }) => project),
    ),
  },
  {
    name: 'an update moves a project to the top of the list',
    tries: /newest first|changes only/,
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
    name: 'the list has three projects at most',
    tries: /newest first|first one/,
    behave: onList((projects) => projects.slice(0, 3)),
  },
  {
    name: 'the list has ten projects at most',
    tries: /large team|oncurrent/,
    behave: onList((projects) => projects.slice(0, 10)),
  },
  {
    name: 'the list has a thousand projects at most',
    tries: /the first one|Twelve/,
    behave: onList((projects) => projects.slice(0, 1000)),
    notCaught: 'A run creates a few hundred projects, and the interface cannot delete them.',
  },
  {
    name: 'the list has no project of the status "archived"',
    tries: /update|list/i,
    behave: onList((projects) => projects.filter(({ status }) => status !== 'archived')),
  },
  {
    name: 'the query parameter limit is obeyed',
    tries: /query parameters/,
    behave: () => async (request, send) => {
      const response = await send(request)
      return request.path.includes('limit=1')
        ? withJson(response, { projects: Object(jsonOf(response)).projects.slice(0, 1) })
        : response
    },
  },
  {
    name: 'a new project is in the list after a while',
    tries: /newest first|create returns 201/,
    behave: () => {
      let hidden: string | undefined
      return async (request, send) => {
        const response = await send(request)
        if (response.status === 201) hidden = Object(jsonOf(response)).project.id
        if (!is('listProjects')(request) || response.status !== 200) return response
        const { projects } = jsonOf(response) as { projects: Project[] }
        const shown = projects.filter(({ id }) => id !== hidden)
        hidden = undefined
        return withJson(response, { projects: shown })
      }
    },
  },
]
