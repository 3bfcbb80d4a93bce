import { nameKey } from '../../../src/contract/project-name.js'
import { jsonOf, withJson, withRequestJson } from '../broken-server-proxy.js'
import { cookieOf, fieldsOf, type Misbehaviour, projectsFor } from '../misbehaviours/misbehaviour.js'
import { idOf, isBundle, isBy, isCreate, isList, isUpdate, none, ownOf, refuse } from './replies.js'
import { both, editing, field, isChange, mutant, onProject, onProjects, stateful } from './request-mutant.js'

// What becomes of fields with certain values, for certain callers, and of requests one after the other.

export const fieldsAndSequences: Misbehaviour[] = [
  mutant(
    'an empty description of an update is not set',
    both(isUpdate, (request) => fieldsOf(request).description === ''),
    (request, send) => {
      const { description: _, ...fields } = fieldsOf(request)
      return send(withRequestJson(request, fields))
    },
  ),
  mutant(
    'an update with the name that the project has changes nothing else',
    both(isUpdate, (request) => field(request, 'name') !== '' && Object.keys(fieldsOf(request)).length > 1),
    async (request, send) => {
      const before = await ownOf(request, send)
      return send(before?.name === field(request, 'name') ? withRequestJson(request, {}) : request)
    },
  ),
  mutant(
    'an update with the status that the project has changes nothing else',
    both(isUpdate, (request) => field(request, 'status') !== '' && Object.keys(fieldsOf(request)).length > 1),
    async (request, send) => {
      const before = await ownOf(request, send)
      return send(before?.status === field(request, 'status') ? withRequestJson(request, {}) : request)
    },
  ),
  mutant('a description that is the name is null', isChange, (request, send, context) =>
    (field(request, 'description') !== '' && field(request, 'description') === field(request, 'name')
      ? onProject((p) => ({ ...p, description: null }))
      : async () => send(request))(request, send, context),
  ),
  mutant(
    'a description longer than the name is cut in the list alone',
    isList,
    onProjects((all) =>
      all.map((p) => ({
        ...p,
        description:
          p.description && p.description.length > 2000 ? p.description.slice(0, 2000) : p.description,
      })),
    ),
  ),
  mutant(
    'the bundle has names escaped',
    isBundle,
    onProjects((all) => all.map((p) => ({ ...p, name: p.name.replaceAll('<', '&lt;') }))),
  ),
  mutant(
    'the bundle has names trimmed',
    isBundle,
    onProjects((all) => all.map((p) => ({ ...p, name: p.name.trim() }))),
  ),
  mutant(
    'the list has an empty description as null',
    isList,
    onProjects((all) => all.map((p) => ({ ...p, description: p.description === '' ? null : p.description }))),
  ),
  mutant(
    'the list has names without their emoji',
    isList,
    onProjects((all) => all.map((p) => ({ ...p, name: p.name.replace(/\p{Extended_Pictographic}/gu, '?') }))),
  ),
  mutant(
    'a list of more than 128 KiB is cut',
    isList,
    onProjects((all) => {
      let size = 0
      return all.filter((project) => {
        size += JSON.stringify(project).length
        return size < 131_072
      })
    }),
  ),
  mutant(
    'the oldest project is left out of a list of more than ten',
    isList,
    onProjects((all) => (all.length > 10 ? all.slice(0, -1) : all)),
  ),
  mutant(
    'the project at the border of two pages is there twice',
    isList,
    onProjects((all) =>
      all.length > 20 && all[19] ? [...all.slice(0, 20), all[19], ...all.slice(20)] : all,
    ),
  ),
  mutant(
    'a member does not see the descriptions',
    both(isList, isBy('acme-viewer')),
    onProjects((all) => all.map((p) => ({ ...p, description: null }))),
  ),
  mutant(
    'a viewer does not see archived projects',
    both(isList, isBy('acme-viewer')),
    onProjects((all) => all.filter(({ status }) => status !== 'archived')),
  ),
  mutant(
    'a viewer has no projects in the bundle',
    both(isBundle, isBy('acme-viewer')),
    onProjects(() => []),
  ),
  mutant(
    'what a creator creates is a draft',
    both(isCreate, isBy('acme-creator')),
    onProject((p) => ({ ...p, status: 'draft' })),
  ),
  stateful('who has not created a project may not change it', isChange, () => {
    const by = new Map<string, string>()
    return async (request, send) => {
      const owner = isUpdate(request) && by.get(idOf(request))
      if (owner && owner !== cookieOf(request)) return refuse(404, 'PROJECT_NOT_FOUND')(request, send, none)
      const response = await send(request)
      if (isCreate(request) && response.status === 201)
        by.set(Object(jsonOf(response)).project.id, cookieOf(request) ?? '')
      return response
    }
  }),
  stateful('the bundle of a team is cached with its user', isBundle, () => {
    const users = new Map<string, unknown>()
    return async (request, send) => {
      const response = await send(request)
      const json = Object(jsonOf(response))
      if (!isBundle(request) || response.status !== 200 || request.method !== 'GET' || json.teamId === '')
        return response
      if (!users.has(json.teamId)) users.set(json.teamId, json.user)
      return withJson(response, { ...json, user: users.get(json.teamId) })
    }
  }),
  stateful('the second of two equal updates in a row is 409', isUpdate, () => {
    let last = ''
    return async (request, send) => {
      if (!isUpdate(request)) return send(request)
      const key = `${request.path} ${new TextDecoder().decode(request.body)}`
      const again = key === last
      last = key
      const response = await send(request)
      return again && response.status === 200 ? refuse(409)(request, send, none) : response
    }
  }),
  stateful('an update directly after a creation is 404, as on a replica', isChange, () => {
    let fresh = ''
    return async (request, send) => {
      if (isUpdate(request) && idOf(request) === fresh && fresh) {
        fresh = ''
        return refuse(404, 'PROJECT_NOT_FOUND')(request, send, none)
      }
      const response = await send(request)
      if (isCreate(request) && response.status === 201) fresh = Object(jsonOf(response)).project.id
      return response
    }
  }),
  stateful('a taken name is found a little later, as on a replica', isCreate, () => {
    let last: { name: string; by: string } | undefined
    return async (request, send) => {
      const name = field(request, 'name')
      const isStale =
        isCreate(request) && last?.name.toLowerCase() === name.toLowerCase() && last.by !== cookieOf(request)
      const response = await send(request)
      if (isStale && response.status === 409) {
        last = undefined
        return {
          ...response,
          status: 201,
          text: JSON.stringify({
            project: { ...(await projectsFor(request, send))[0], name, id: crypto.randomUUID() },
          }),
        }
      }
      if (isCreate(request) && response.status === 201) last = { name, by: cookieOf(request) ?? '' }
      return response
    }
  }),
  stateful('after an error the session is read again from a replica without rights', isChange, () => {
    let failed = ''
    return async (request, send) => {
      if (isChange(request) && failed === cookieOf(request) && failed) {
        failed = ''
        return refuse(403, 'INSUFFICIENT_PERMISSIONS')(request, send, none)
      }
      const response = await send(request)
      if (response.status === 409) failed = cookieOf(request) ?? ''
      return response
    }
  }),
  mutant(
    'ids are in capitals',
    both(isCreate),
    onProject((p) => ({ ...p, id: p.id.toUpperCase() })),
  ),
  mutant(
    'the time of a creation is cut to seconds',
    isCreate,
    onProject((p) => ({ ...p, createdAt: p.createdAt.replace(/\.\d+Z/, '.000Z') })),
  ),
  mutant(
    'the time of a creation is that of New York',
    isCreate,
    onProject((p) => ({ ...p, createdAt: new Date(Date.parse(p.createdAt) - 5 * 3_600_000).toISOString() })),
  ),
  mutant(
    'the list has times that are cut to minutes',
    isList,
    onProjects((all) => all.map((p) => ({ ...p, createdAt: p.createdAt.replace(/\d\d\.\d+Z/, '00.000Z') }))),
  ),
  mutant('an update answers with the time of the change', isUpdate, async (request, send, context) => {
    const r = await send(request)
    return 'status' in fieldsOf(request)
      ? onProject((p) => ({ ...p, createdAt: new Date().toISOString() }))(request, async () => r, context)
      : r
  }),
  {
    ...mutant(
      'the address of a user is in capitals',
      isBundle,
      editing((json) => ({
        ...json,
        user: { ...Object(json.user), email: String(Object(json.user).email).toUpperCase() },
      })),
    ),
    notCaught: 'The profile is that of the identity provider, which a verifier cannot ask.',
  },
  stateful('the name of a project before its rename stays taken', isChange, () => {
    const old = new Set<string>()
    return async (request, send) => {
      const name = field(request, 'name')
      if (!isChange(request) || name === '') return send(request)
      const before = isUpdate(request) ? await ownOf(request, send) : undefined
      const key = (n: string) => `${cookieOf(request)} ${nameKey(n)}`
      if (old.has(key(name)) && !(before && nameKey(before.name) === nameKey(name)))
        return refuse(409, 'PROJECT_NAME_TAKEN')(request, send, none)
      const response = await send(request)
      if (response.status === 200 && before && nameKey(before.name) !== nameKey(name))
        old.add(key(before.name))
      return response
    }
  }),
  mutant(
    'the name of a project that is not active is free',
    both(isCreate, (request) => field(request, 'name') !== ''),
    async (request, send) => {
      const response = await send(request)
      if (response.status !== 409) return response
      const other = (await projectsFor(request, send)).find(
        ({ name }) => nameKey(name) === nameKey(field(request, 'name')),
      )
      return !other || other.status === 'active'
        ? response
        : {
            ...response,
            status: 201,
            text: JSON.stringify({ project: { ...other, id: crypto.randomUUID(), status: 'active' } }),
          }
    },
  ),
  mutant(
    'a rename does not look at the case of others',
    both(isUpdate, (request) => field(request, 'name') !== ''),
    async (request, send) => {
      const response = await send(request)
      if (response.status !== 409) return response
      const exact = (await projectsFor(request, send)).some(({ name }) => name === field(request, 'name'))
      return exact
        ? response
        : {
            ...response,
            status: 200,
            text: JSON.stringify({
              project: { ...(await ownOf(request, send)), name: field(request, 'name') },
            }),
          }
    },
  ),
  mutant(
    'a rename with another field does not look at the names of others',
    both(isUpdate, (request) => field(request, 'name') !== '' && Object.keys(fieldsOf(request)).length > 1),
    async (request, send) => {
      const response = await send(request)
      return response.status !== 409
        ? response
        : {
            ...response,
            status: 200,
            text: JSON.stringify({ project: { ...(await ownOf(request, send)), ...fieldsOf(request) } }),
          }
    },
  ),
  mutant(
    'a name is compared with the newest projects alone',
    both(isCreate, (request) => field(request, 'name') !== ''),
    async (request, send) => {
      const response = await send(request)
      if (response.status !== 409) return response
      const all = await projectsFor(request, send)
      const found = all.findIndex(({ name }) => nameKey(name) === nameKey(field(request, 'name')))
      return found < 2
        ? response
        : {
            ...response,
            status: 201,
            text: JSON.stringify({ project: { ...all[found], id: crypto.randomUUID() } }),
          }
    },
  ),
]
