import { jsonOf, type ProxyResponse, withJson, withRequestJson } from '../broken-server-proxy.js'
import { cookieOf, fieldsOf, get, type Misbehaviour, type Project } from '../misbehaviours/misbehaviour.js'
import { idOf, isBundle, isCreate, isList, isSignUp, isUpdate, none, ownOf, refuse } from './replies.js'
import {
  both,
  countRunning,
  editing,
  field,
  isChange,
  isRead,
  mutant,
  onProject,
  onProjects,
  pathOf,
  stateful,
  withHeader,
  withStatus,
} from './request-mutant.js'

// What ORMs, replicas and caches do with projects.

const time = (edit: (createdAt: string) => string) => (project: Project) => ({
  ...project,
  createdAt: edit(project.createdAt),
})
/** A read that answers as before the last change that meets a condition. */
const stale = (
  name: string,
  isStale: (fields: Record<string, unknown>, method: string) => boolean,
  of: 'list' | 'bundle' | 'any',
  byOthers = false,
) =>
  stateful(name, isChange, () => {
    let before: { reply: ProxyResponse; path: string; by: string }[] = []
    return async (request, send) => {
      if (isChange(request)) {
        const kept = isStale(fieldsOf(request), request.method)
          ? await Promise.all(
              ['/v1/projects', '/v1/auth/me'].map(async (path) => ({
                path,
                by: cookieOf(request) ?? '',
                reply: await send(get(request, path)),
              })),
            )
          : []
        const response = await send(request)
        if (response.status < 300) before = kept
        return response
      }
      const path = pathOf(request)
      if (!isRead(request) || request.method !== 'GET') return send(request)
      if ((of === 'list' && path !== '/v1/projects') || (of === 'bundle' && path !== '/v1/auth/me'))
        return send(request)
      const found = before.find(
        (entry) =>
          entry.path === path && (byOthers ? entry.by !== cookieOf(request) : entry.by === cookieOf(request)),
      )
      if (!found) return send(request)
      const response = await send(request)
      before = before.filter((entry) => entry !== found)
      if (!byOthers) return found.reply
      const projects = Object(jsonOf(found.reply)).projects
      return projects && Object(jsonOf(response)).projects
        ? withJson(response, { ...Object(jsonOf(response)), projects })
        : response
    }
  })
const byTime = (precision: number) => (projects: Project[]) =>
  projects.toSorted((a, b) =>
    b.createdAt.slice(0, precision) < a.createdAt.slice(0, precision)
      ? -1
      : b.createdAt.slice(0, precision) > a.createdAt.slice(0, precision)
        ? 1
        : a.id < b.id
          ? -1
          : 1,
  )

export const storesAndCaches: Misbehaviour[] = [
  stale(
    'a list is cached over the next update of a status',
    (fields, method) => method === 'PATCH' && 'status' in fields,
    'list',
  ),
  stale(
    'a list is cached over the next update of a description',
    (fields, method) => method === 'PATCH' && 'description' in fields,
    'list',
  ),
  stale(
    'a bundle is cached over the next rename',
    (fields, method) => method === 'PATCH' && 'name' in fields,
    'bundle',
  ),
  stale('a bundle is cached over the next creation', (_, method) => method === 'POST', 'bundle'),
  stale(
    "a colleague's list is older than a creation, as on a replica",
    (_, method) => method === 'POST',
    'list',
    true,
  ),
  stale(
    "a colleague's list is older than an update, as on a replica",
    (_, method) => method === 'PATCH',
    'list',
    true,
  ),
  stale(
    "a colleague's bundle is older than a rename",
    (fields, method) => method === 'PATCH' && 'name' in fields,
    'bundle',
    true,
  ),
  mutant('archived projects are no part of the bundle', isBundle, async (request, send) => {
    const response = await send(request)
    const archived = (Object(jsonOf(await send(get(request)))).projects ?? [])
      .filter(({ status }: Project) => status === 'archived')
      .map(({ id }: Project) => id)
    return editing((json) => ({
      ...json,
      projects: (json.projects as Project[]).filter(({ id }) => !archived.includes(id)),
    }))(request, async () => response, none)
  }),
  mutant(
    'deleted projects are no part of the list',
    isList,
    onProjects((all) => all.filter(({ status }) => !/^deleted$/i.test(status))),
  ),
  mutant(
    'archived projects are no part of the list',
    isList,
    onProjects((all) => all.filter(({ status }) => !/^archived$/i.test(status))),
  ),
  mutant(
    'inactive projects come last in the list',
    isList,
    onProjects((all) =>
      all.toSorted((a, b) => Number(b.status === 'active') - Number(a.status === 'active')),
    ),
  ),
  mutant('projects of the same second are ordered by id, ascending', isList, onProjects(byTime(19))),
  mutant('projects of the same minute are ordered by id, ascending', isList, onProjects(byTime(16))),
  mutant('projects of the same millisecond are ordered by id, ascending', isList, onProjects(byTime(24))),
  mutant(
    'a list has 100 projects at most',
    isList,
    onProjects((all) => all.slice(0, 100)),
  ),
  mutant(
    'a list has 25 projects at most',
    isList,
    onProjects((all) => all.slice(0, 25)),
  ),
  mutant(
    'a list has 20 projects at most',
    isList,
    onProjects((all) => all.slice(0, 20)),
  ),
  mutant(
    'a list has 10 projects at most',
    isList,
    onProjects((all) => all.slice(0, 10)),
  ),
  mutant(
    'a bundle has 10 projects at most',
    isBundle,
    onProjects((all) => all.slice(0, 10)),
  ),
  mutant(
    'a bundle has 25 projects at most',
    isBundle,
    onProjects((all) => all.slice(0, 25)),
  ),
  mutant(
    'projects without a description come last',
    isList,
    onProjects((all) =>
      all.toSorted((a, b) => Number(a.description === null) - Number(b.description === null)),
    ),
  ),
  mutant(
    'the list cuts descriptions to 500 characters',
    isList,
    onProjects((all) =>
      all.map((project) => ({ ...project, description: project.description?.slice(0, 500) ?? null })),
    ),
  ),
  mutant(
    'the bundle cuts names to 100 characters',
    isBundle,
    onProjects((all) => all.map((project) => ({ ...project, name: project.name.slice(0, 100) }))),
  ),
  mutant(
    'the response to an update has microseconds',
    isUpdate,
    onProject(time((createdAt) => createdAt.replace('Z', '000Z'))),
  ),
  mutant(
    'the response to a creation has an offset',
    isCreate,
    onProject(time((createdAt) => createdAt.replace('Z', '+00:00'))),
  ),
  mutant(
    'the list has times without zeros at their end, as in Go',
    isList,
    onProjects((all) => all.map(time((createdAt) => createdAt.replace(/\.?0+Z$/, 'Z')))),
  ),
  mutant(
    'the list rounds times to ten milliseconds',
    isList,
    onProjects((all) => all.map(time((createdAt) => createdAt.replace(/\dZ$/, '0Z')))),
  ),
  mutant(
    'the list rounds times to thirds of ten milliseconds, as DATETIME',
    isList,
    onProjects((all) =>
      all.map(
        time((createdAt) => createdAt.replace(/\dZ$/, (end) => ('3' > end ? '0Z' : end < '7' ? '3Z' : '7Z'))),
      ),
    ),
  ),
  mutant(
    'an update renews createdAt',
    both(isUpdate, (request) => 'description' in fieldsOf(request)),
    onProject(time(() => new Date().toISOString())),
  ),
  mutant(
    'an update of two fields answers with one',
    both(isUpdate, (request) => Object.keys(fieldsOf(request)).length === 2),
    async (request, send) => {
      const [first, ...rest] = Object.entries(fieldsOf(request))
      const partial = await send(withRequestJson(request, Object.fromEntries([first ?? []])))
      if (partial.status < 300) await send(withRequestJson(request, Object.fromEntries(rest)))
      return partial
    },
  ),
  mutant(
    'an update that changes nothing is 304',
    both(isUpdate, (request) => Object.keys(fieldsOf(request)).length === 0),
    async (request, send) => {
      const response = await send(request)
      return response.status === 200 ? { ...response, status: 304, text: '' } : response
    },
  ),
  mutant(
    'an update to the same values is 404, as no row is changed',
    isUpdate,
    async (request, send, context) => {
      const before = Object(jsonOf(await send(withRequestJson(request, {})))).project as Project | undefined
      const fields = Object.entries(fieldsOf(request))
      return before &&
        fields.length > 0 &&
        fields.every(([key, value]) => before[key as keyof Project] === value)
        ? refuse(404, 'PROJECT_NOT_FOUND')(request, send, context)
        : send(request)
    },
  ),
  mutant(
    'a rename to the own name is 409',
    both(isUpdate, (request) => field(request, 'name') !== ''),
    async (request, send, context) => {
      const before = Object(jsonOf(await send(withRequestJson(request, {})))).project as Project | undefined
      return before?.name === field(request, 'name')
        ? refuse(409, 'PROJECT_NAME_TAKEN')(request, send, context)
        : send(request)
    },
  ),
  mutant(
    'an update that is refused for its name has changed the status',
    both(isUpdate, (request) => 'status' in fieldsOf(request) && 'name' in fieldsOf(request)),
    async (request, send) => {
      const response = await send(request)
      if (response.status === 409) await send(withRequestJson(request, { status: fieldsOf(request).status }))
      return response
    },
  ),
  mutant(
    'an update with an invalid field has changed the others',
    both(isUpdate, (request) => 'description' in fieldsOf(request)),
    async (request, send) => {
      const response = await send(request)
      if (response.status === 422)
        await send(withRequestJson(request, { description: fieldsOf(request).description }))
      return response
    },
  ),
  stateful('of two creations at the same time one is 409', isCreate, () => {
    const { isRunning, send: counted } = countRunning(isCreate)
    return async (request, send) => {
      const others = isRunning()
      const response = await counted(request, send)
      return others && response.status === 201
        ? refuse(409, 'PROJECT_NAME_TAKEN')(request, send, none)
        : response
    }
  }),
  stateful('of two updates at the same time one is 409', isUpdate, () => {
    const { isRunning, send: counted } = countRunning(isUpdate)
    return async (request, send) => {
      const others = isRunning()
      const response = await counted(request, send)
      return others && response.status === 200 ? refuse(409)(request, send, none) : response
    }
  }),
  stateful('of two sign-ups of an address at the same time one is 500', isSignUp, () => {
    const { isRunning, send: counted } = countRunning(isSignUp)
    return async (request, send) => {
      const others = isRunning()
      const response = await counted(request, send)
      return others ? { ...withJson(response, { error: 'Internal' }), status: 500 } : response
    }
  }),
  stateful('a read during a change is 503', isRead, () => {
    const { isRunning, send: counted } = countRunning(isChange)
    return async (request, send) => {
      const others = isRunning()
      const response = await counted(request, send)
      return others && isRead(request) && response.status === 200 ? { ...response, status: 503 } : response
    }
  }),
  stateful('names that were taken once stay taken', isChange, () => {
    const names = new Map<string, string>()
    return async (request, send) => {
      if (!isChange(request) || field(request, 'name') === '') return send(request)
      const key = `${cookieOf(request)} ${field(request, 'name')}`
      const response = await send(request)
      const id = Object(Object(jsonOf(response)).project).id
      if (response.status === 201) {
        if (names.has(key)) return refuse(409, 'PROJECT_NAME_TAKEN')(request, send, none)
      }
      if (id && !names.has(key)) names.set(key, id)
      return names.has(key) && id && names.get(key) !== id
        ? refuse(409, 'PROJECT_NAME_TAKEN')(request, send, none)
        : response
    }
  }),
  stateful('a creation like the one before it is the one before it', isCreate, () => {
    let last: { key: string; response: ProxyResponse } | undefined
    return async (request, send) => {
      if (!isCreate(request)) return send(request)
      const key = `${cookieOf(request)} ${new TextDecoder().decode(request.body)}`
      if (last?.key === key) return last.response
      const response = await send(request)
      last = response.status === 201 ? { key, response } : undefined
      return response
    }
  }),
  mutant(
    'a new project comes last until it is changed',
    isList,
    onProjects((all) => (all.length > 1 && all[0] ? [...all.slice(1), all[0]] : all)),
  ),
  mutant(
    'ids are version 4',
    isCreate,
    onProject((project) => ({ ...project, id: project.id.replace(/-7/, '-4') })),
  ),
  mutant(
    'a status with a default is reset by an update of the name',
    both(isUpdate, (request) => 'name' in fieldsOf(request) && !('status' in fieldsOf(request))),
    onProject((project) => ({ ...project, status: 'active' })),
  ),
  mutant(
    'a description of the team is read from the newest project',
    isUpdate,
    onProject((project) => ({
      ...project,
      description: project.description === '' ? null : project.description,
    })),
  ),
  mutant(
    'no permissions are null, as in Go',
    isBundle,
    editing((json) => ({
      ...json,
      permissions: (json.permissions as string[]).length === 0 ? null : json.permissions,
    })),
  ),
  mutant(
    'no projects are null in the bundle',
    isBundle,
    editing((json) => ({
      ...json,
      projects: (json.projects as string[]).length === 0 ? null : json.projects,
    })),
  ),
  {
    ...mutant(
      'equal permissions and blank ones are left out',
      isBundle,
      editing((json) => ({
        ...json,
        permissions: (json.permissions as string[]).filter((p) => p.trim() === p && p !== ''),
      })),
    ),
    notCaught: 'The interface specifies neither the order of permissions nor which others there are.',
  },
  mutant(
    'permissions are in lower case',
    isBundle,
    editing((json) => ({ ...json, permissions: (json.permissions as string[]).map((p) => p.toLowerCase()) })),
  ),
  mutant(
    'permissions with a comma are two',
    isBundle,
    editing((json) => ({
      ...json,
      permissions: (json.permissions as string[]).flatMap((p) => p.split(',')),
    })),
  ),
  mutant(
    'the list has the total where it is empty',
    isList,
    editing((json) => ((json.projects as Project[]).length === 0 ? { ...json, total: 0 } : json)),
  ),
  {
    ...mutant(
      'a project that is the only one is no array',
      isList,
      editing((json) =>
        (json.projects as Project[]).length === 1 ? { projects: (json.projects as Project[])[0] } : json,
      ),
    ),
    notCaught: 'The teams of a run have more than one project.',
  },
  mutant('HEAD has no content type', ({ method }) => method === 'HEAD', withHeader('content-type')),
  mutant(
    'HEAD without session is 200',
    both(
      ({ method }) => method === 'HEAD',
      (request) => !cookieOf(request),
    ),
    withStatus(200),
  ),
  mutant('a list may be stored by shared caches', isList, withHeader('cache-control', 'public, max-age=60')),
  mutant('an error may be stored by caches', isChange, async (request, send, context) => {
    const r = await send(request)
    return r.status === 404 ? withHeader('cache-control', 'max-age=300')(request, async () => r, context) : r
  }),
  mutant(
    'the bundle has the projects in the order of their names',
    isBundle,
    onProjects((all) => all.toSorted((a, b) => (a.name < b.name ? -1 : 1))),
  ),
  stateful('the list is in the order of the last change', isChange, () => {
    const touched: string[] = []
    return async (request, send) => {
      const response = await send(request)
      if (isUpdate(request) && response.status === 200 && 'status' in fieldsOf(request))
        touched.unshift(idOf(request))
      return isList(request)
        ? onProjects((all) => {
            const at = all.findIndex(({ id }) => id === touched[0])
            return at > 0 ? [all[at] as Project, ...all.slice(0, at), ...all.slice(at + 1)] : all
          })(request, async () => response, none)
        : response
    }
  }),
  stateful('every 25th creation is 500', isCreate, () => {
    let n = 0
    return async (request, send) =>
      isCreate(request) && ++n % 25 === 0 ? refuse(500, 'INTERNAL_ERROR')(request, send, none) : send(request)
  }),
  stateful('after ten refused bodies the next update is 503', isUpdate, () => {
    let n = 0
    return async (request, send) => {
      const r = await send(request)
      if (r.status === 422) n++
      if (isUpdate(request) && r.status === 200 && n >= 10) {
        n = 0
        return refuse(503, 'SERVICE_UNAVAILABLE')(request, send, none)
      }
      return r
    }
  }),
  stateful('two updates of different projects at the same time deadlock', isUpdate, () => {
    const { isRunning, send: counted } = countRunning(isUpdate)
    return async (request, send) => {
      const o = isRunning()
      const r = await counted(request, send)
      return o && r.status === 200 && 'name' in fieldsOf(request)
        ? refuse(500, 'INTERNAL_ERROR')(request, send, none)
        : r
    }
  }),
  stateful('two reads at the same time mix their sessions', isRead, () => {
    let last: ProxyResponse | undefined
    const { isRunning, send: counted } = countRunning(isBundle)
    return async (request, send) => {
      const o = isRunning()
      const r = await counted(request, send)
      if (isBundle(request)) {
        const mixed = o && last ? last : r
        last = r
        return mixed
      }
      return r
    }
  }),
  stateful('a creation at the same time as another has its time', isCreate, () => {
    const { isRunning, send: counted } = countRunning(isCreate)
    return async (request, send) => {
      const o = isRunning()
      const r = await counted(request, send)
      return o && r.status === 201
        ? onProject((p) => ({ ...p, description: null }))(request, async () => r, none)
        : r
    }
  }),
  stateful('updates of the same project at the same time are lost', isUpdate, () => {
    const { isRunning, send: counted } = countRunning(isUpdate)
    return async (request, send) => {
      if (isUpdate(request) && isRunning() && 'status' in fieldsOf(request)) {
        const own = await ownOf(request, send)
        return own
          ? {
              ...(await send(withRequestJson(request, {}))),
              text: JSON.stringify({ project: { ...own, ...fieldsOf(request) } }),
            }
          : send(request)
      }
      return counted(request, send)
    }
  }),
]
