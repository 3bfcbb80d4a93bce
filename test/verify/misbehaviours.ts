import { route } from '../../src/contract/route.js'
import type { Persona } from '../../src/verify/cases/case.js'
import {
  type Behaviour,
  jsonOf,
  type ProxyRequest,
  type ProxyResponse,
  type Send,
  withJson,
  withRequestJson,
} from './broken-server-proxy.js'

// Broken servers that are written by hand: each breaks one rule in a way that no single response shows.

/** The Cookie headers of the callers. */
type Context = { cookieOf: (persona: Persona) => string }

export type Misbehaviour = {
  name: string
  /** Matches the titles and requirements of the cases that are run, in their order, until one fails. */
  tries: RegExp
  /** The mode of the server behind; left out: the mock. */
  mode?: 'production'
  /** Starts the server's own state. */
  behave: (context: Context) => Behaviour
  /** Why no case can tell it from a server without faults. */
  notCaught?: string
}

const operationOf = ({ method, path }: ProxyRequest) => route(method, path.split('?', 1)[0] ?? '').operation
const cookieOf = ({ headers }: ProxyRequest) => headers.find(([name]) => name.toLowerCase() === 'cookie')?.[1]
const withCookie = (request: ProxyRequest, cookie: string): ProxyRequest => ({
  ...request,
  headers: [...request.headers.filter(([name]) => name.toLowerCase() !== 'cookie'), ['cookie', cookie]],
})
const withType = (request: ProxyRequest, type: string): ProxyRequest => ({
  ...request,
  headers: [
    ...request.headers.filter(([name]) => name.toLowerCase() !== 'content-type'),
    ['content-type', type],
  ],
})
const typeOf = ({ headers }: ProxyRequest) =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
const codeOf = (response: ProxyResponse) => Object(jsonOf(response)).code as string | undefined
const isChange = (request: ProxyRequest) =>
  ['createProject', 'updateProject'].includes(operationOf(request) ?? '')
const fieldsOf = (request: ProxyRequest) => Object(jsonOf(request)) as Record<string, unknown>
const hasFields = (request: ProxyRequest) =>
  isChange(request) &&
  typeof jsonOf(request) === 'object' &&
  jsonOf(request) !== null &&
  !Array.isArray(jsonOf(request))

type Project = { id: string; name: string; description: string | null; status: string; createdAt: string }
const listPath = '/v1/projects'
const get = (request: ProxyRequest, path = listPath): ProxyRequest => ({
  method: 'GET',
  path,
  headers: request.headers.filter(([name]) => name.toLowerCase() === 'cookie'),
  chunked: false,
})
const projectsFor = async (request: ProxyRequest, send: Send): Promise<Project[]> =>
  Object(jsonOf(await send(get(request)))).projects ?? []

/** The response that the service behind has for a request that fails like this. */
const nameTaken = async (request: ProxyRequest, send: Send): Promise<ProxyResponse> => {
  const [first] = await projectsFor(request, send)
  return send(
    withRequestJson(
      { ...withType(request, 'application/json'), method: 'POST', path: listPath },
      { name: first?.name },
    ),
  )
}
const invalidName = (request: ProxyRequest, send: Send) =>
  send(
    withRequestJson(
      { ...withType(request, 'application/json'), method: 'POST', path: listPath },
      { name: '' },
    ),
  )

/** Changes requests only. */
const onRequest =
  (edit: (request: ProxyRequest) => ProxyRequest): Misbehaviour['behave'] =>
  () =>
  (request, send) =>
    send(edit(request))

/** Changes the fields of creations and updates. */
const onFields = (edit: (fields: Record<string, unknown>, method: string) => Record<string, unknown>) =>
  onRequest((request) =>
    hasFields(request) ? withRequestJson(request, edit({ ...fieldsOf(request) }, request.method)) : request,
  )

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

/** Asks again as another caller if the service behind refuses with one of these codes. */
const insteadOf =
  (
    codes: string[],
    as: Persona,
    applies: (request: ProxyRequest) => boolean = () => true,
  ): Misbehaviour['behave'] =>
  ({ cookieOf }) =>
  async (request, send) => {
    const response = await send(request)
    const code = codeOf(response) ?? (response.status === 401 ? 'AUTH_REQUIRED' : '')
    return codes.includes(code) && applies(request) ? send(withCookie(request, cookieOf(as))) : response
  }

/** Gives the response of another request if that fails with one of these statuses. */
const checksFirst =
  (
    other: (request: ProxyRequest, context: Context) => ProxyRequest,
    of: number[],
    statuses: number[],
  ): Misbehaviour['behave'] =>
  (context) =>
  async (request, send) => {
    const response = await send(request)
    if (!isChange(request) || !of.includes(response.status)) return response
    const another = await send(other(request, context))
    return statuses.includes(another.status) ? another : response
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

/** Marks letters of names with an invisible character, which the responses do not have. */
const marking =
  (mark: (name: string, method: string) => string): Misbehaviour['behave'] =>
  () =>
  async (request, send) => {
    const { name } = fieldsOf(request)
    const response = await send(
      hasFields(request) && typeof name === 'string' && name !== ''
        ? withRequestJson(request, { ...fieldsOf(request), name: mark(name, request.method) })
        : request,
    )
    return { ...response, text: response.text.replaceAll('\u2063', '') }
  }
let marks = 0

/** Answers as the service behind does, after a change of the response. */
const onResponse =
  (edit: (response: ProxyResponse, request: ProxyRequest) => ProxyResponse): Misbehaviour['behave'] =>
  () =>
  async (request, send) =>
    edit(await send(request), request)

const edits = (
  applies: (request: ProxyRequest) => boolean,
  edit: (json: Record<string, unknown>) => unknown,
) =>
  onResponse((response, request) =>
    applies(request) && response.status < 300 && response.text
      ? withJson(response, edit(Object(jsonOf(response))))
      : response,
  )

const is = (name: string) => (request: ProxyRequest) => operationOf(request) === name
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const withText = (request: ProxyRequest, body: string): ProxyRequest => ({
  ...request,
  body: new TextEncoder().encode(body),
})
const short = (response: ProxyResponse, status: number, error: string): ProxyResponse => ({
  ...withJson(response, { error }),
  status,
})

const invalidSessions = /no valid session/
const permission = /permission/
const names = /compared by their keys|4\.1 rule 1/
const fresh = /newest first|creat|bundle/i
const waitlist = /waitlist/
const body = /Not JSON|UTF-8|media type|content type|body|chunks/
const order = /order of the checks/

export const misbehaviours: Misbehaviour[] = [
  // Sessions and callers
  {
    name: 'sessions are ignored',
    tries: invalidSessions,
    behave: insteadOf(['AUTH_REQUIRED'], 'acme-owner'),
  },
  {
    name: 'expired sessions are accepted',
    tries: /^expired/,
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(cookieOf(request) === of('expired') ? withCookie(request, of('acme-owner')) : request),
  },
  {
    name: 'of two cookies the first counts',
    tries: invalidSessions,
    behave: onRequest((request) => withCookie(request, (cookieOf(request) ?? '').split(';')[0] ?? '')),
  },
  {
    name: 'the name of the cookie is compared without case',
    tries: invalidSessions,
    behave: onRequest((request) =>
      withCookie(request, (cookieOf(request) ?? '').replace(/\bsession=/i, 'session=')),
    ),
  },
  {
    name: 'the signature of cookies is not checked',
    tries: invalidSessions,
    mode: 'production',
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(
          cookieOf(request)?.startsWith(of('acme-owner').slice(0, 30))
            ? withCookie(request, of('acme-owner'))
            : request,
        ),
  },
  {
    name: 'the name of a persona is a session in production',
    tries: /guessed/,
    mode: 'production',
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(cookieOf(request) === 'session=acme-owner' ? withCookie(request, of('acme-owner')) : request),
  },
  {
    name: 'permissions are ignored',
    tries: permission,
    behave: insteadOf(['INSUFFICIENT_PERMISSIONS'], 'acme-owner'),
  },
  {
    name: 'permissions to update are ignored',
    tries: permission,
    behave: insteadOf(['INSUFFICIENT_PERMISSIONS'], 'acme-owner', is('updateProject')),
  },
  {
    name: 'the bundle of a viewer lists permissions',
    tries: permission,
    behave: edits(is('getSession'), (bundle) => ({
      ...bundle,
      permissions: ['create:projects', 'update:projects'],
    })),
  },
  {
    name: 'members may not create',
    tries: permission,
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(
          is('createProject')(request) && cookieOf(request) === of('acme-member')
            ? withCookie(request, of('acme-viewer'))
            : request,
        ),
  },
  {
    name: 'a user without organisation may create',
    tries: /no organisation/,
    behave: insteadOf(['ONBOARDING_REQUIRED'], 'acme-owner'),
  },
  {
    name: 'a user without team may create',
    tries: /no team/,
    behave: insteadOf(['TEAM_MEMBERSHIP_REQUIRED'], 'acme-owner'),
  },
  {
    name: 'a user without team may not list',
    tries: /no team/,
    behave:
      ({ cookieOf: of }) =>
      async (request, send) =>
        is('listProjects')(request) && cookieOf(request) === of('no-team')
          ? send({ ...request, method: 'POST' })
          : send(request),
  },
  {
    name: 'a user without organisation has no bundle',
    tries: /organisation/,
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(
          is('getSession')(request) && cookieOf(request) === of('no-organization')
            ? withCookie(request, 'session=')
            : request,
        ),
  },
  {
    name: 'the two teams are one',
    tries: /team/,
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(cookieOf(request) === of('globex-owner') ? withCookie(request, of('acme-owner')) : request),
  },
  {
    name: 'production marks its bundles like the mock',
    tries: /bundle|persona/,
    mode: 'production',
    behave: edits(is('getSession'), (bundle) => ({ ...bundle, devMode: true, role: 'owner' })),
  },
  {
    name: 'production has a role',
    tries: /bundle/,
    mode: 'production',
    behave: edits(is('getSession'), (bundle) => ({ ...bundle, role: 'owner' })),
  },
  {
    name: 'the mock emits devMode without role',
    tries: /bundle/,
    behave: edits(is('getSession'), ({ role: _, ...bundle }) => bundle),
  },
  {
    name: 'the mock emits role without devMode',
    tries: /bundle/,
    behave: edits(is('getSession'), ({ devMode: _, ...bundle }) => bundle),
  },
  {
    name: 'the mock does not mark its bundles',
    tries: /bundle|guessed/,
    behave: edits(is('getSession'), ({ devMode: _, role: __, ...bundle }) => bundle),
  },

  // Teams
  {
    name: "another team's projects can be updated",
    tries: /foreign ids/,
    behave: insteadOf(['PROJECT_NOT_FOUND'], 'globex-owner', is('updateProject')),
  },
  {
    name: "another team's project is 403",
    tries: /foreign ids/,
    behave:
      ({ cookieOf: of }) =>
      async (request, send) => {
        const response = await send(request)
        if (response.status !== 404 || !is('updateProject')(request)) return response
        const there = await send(withRequestJson(withCookie(request, of('globex-owner')), {}))
        return there.status === 200 ? send(withCookie(request, of('acme-viewer'))) : response
      },
  },
  {
    name: "another team's project has a message of its own",
    tries: /foreign ids/,
    behave:
      ({ cookieOf: of }) =>
      async (request, send) => {
        const response = await send(request)
        if (response.status !== 404 || !is('updateProject')(request)) return response
        const there = await send(withRequestJson(withCookie(request, of('globex-owner')), {}))
        return there.status === 200
          ? withJson(response, { ...Object(jsonOf(response)), error: 'That is the project of another team.' })
          : response
      },
  },
  {
    name: 'the list has the projects of all teams',
    tries: /list/,
    behave:
      ({ cookieOf: of }) =>
      async (request, send) => {
        const response = await send(request)
        if (!is('listProjects')(request) || response.status !== 200) return response
        const others = await projectsFor(withCookie(request, of('globex-owner')), send)
        return withJson(response, { projects: [...others, ...Object(jsonOf(response)).projects] })
      },
  },
  {
    name: 'names are unique in all teams together',
    tries: names,
    behave:
      ({ cookieOf: of }) =>
      async (request, send) => {
        if (!is('createProject')(request)) return send(request)
        const others = await projectsFor(
          withCookie(request, of(cookieOf(request) === of('globex-owner') ? 'acme-owner' : 'globex-owner')),
          send,
        )
        const isTaken = others.some(
          ({ name }) => name.toUpperCase() === String(fieldsOf(request).name).toUpperCase(),
        )
        return isTaken ? nameTaken(request, send) : send(request)
      },
  },

  // Reads and caches
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
    tries: fresh,
    behave: cachedBy(
      (request) => `${request.path} ${cookieOf(request)}`,
      () => false,
    ),
  },
  {
    name: 'an update does not empty the cache',
    tries: fresh,
    behave: cachedBy(
      (request) => `${request.path} ${cookieOf(request)}`,
      ({ method }) => method === 'POST',
    ),
  },
  {
    name: 'a creation does not empty the cache',
    tries: fresh,
    behave: cachedBy(
      (request) => `${request.path} ${cookieOf(request)}`,
      ({ method }) => method === 'PATCH',
    ),
  },
  {
    name: 'changes empty the cache of their own caller only',
    tries: fresh,
    behave: cachedBy(
      (request) => `${request.path} ${cookieOf(request)}`,
      (request, key) => request.method !== 'GET' && key.endsWith(` ${cookieOf(request)}`),
    ),
  },
  {
    name: 'the bundle is cached for good',
    tries: fresh,
    behave: cachedBy(
      (request) => (is('getSession')(request) ? (cookieOf(request) ?? '') : `${Math.random()}`),
      () => false,
    ),
  },
  {
    name: 'the list is oldest first',
    tries: /newest first/,
    behave: onList((projects) => projects.reverse()),
  },
  {
    name: 'the list is ordered by name',
    tries: /newest first/,
    behave: onList((projects) => projects.sort((a, b) => (a.name < b.name ? -1 : 1))),
  },
  {
    name: 'the list is ordered by status',
    tries: /newest first/,
    behave: onList((projects) => projects.sort((a, b) => (a.status < b.status ? -1 : 1))),
  },
  {
    name: 'the list is ordered by id, ascending',
    tries: /newest first/,
    behave: onList((projects) => projects.sort((a, b) => (a.id < b.id ? -1 : 1))),
  },
  {
    name: 'the list is shuffled',
    tries: /newest first/,
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
    tries: /newest first/,
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
    tries: /newest first/,
    behave: onList((projects) => projects.slice(0, 3)),
  },
  {
    name: 'the list has ten projects at most',
    tries: /concurrent/,
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
    tries: /Query/,
    behave: () => async (request, send) => {
      const response = await send(request)
      return request.path.includes('limit=1')
        ? withJson(response, { projects: Object(jsonOf(response)).projects.slice(0, 1) })
        : response
    },
  },
  {
    name: 'a new project is in the list after a while',
    tries: fresh,
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

  // Names
  {
    name: 'names are compared with case',
    tries: names,
    behave: marking((name) => name.replace(/\p{Lu}/gu, '$&\u2063')),
  },
  {
    name: 'names of other letters than ASCII are compared with case',
    tries: names,
    behave: marking((name) =>
      name.replace(/\P{ASCII}/gu, (char) => (char === char.toLowerCase() ? char : `${char}\u2063`)),
    ),
  },
  {
    name: 'names are not normalised',
    tries: names,
    behave: marking((name) => name.replace(/\u0301/g, '\u2063\u0301')),
  },
  {
    name: 'names need not be unique',
    tries: names,
    behave: marking((name) => `${name}${'\u2063'.repeat(++marks % 500)}`),
  },
  {
    name: 'updated names need not be unique',
    tries: names,
    behave: marking((name, method) =>
      method === 'PATCH' ? `${name}${'\u2063'.repeat(++marks % 500)}` : name,
    ),
  },
  {
    name: 'names are trimmed',
    tries: /stored as sent|keys/,
    behave: onFields((fields) =>
      typeof fields.name === 'string' && fields.name.trim()
        ? { ...fields, name: fields.name.trim() }
        : fields,
    ),
  },
  {
    name: 'names are compared without white space at their ends',
    tries: /different names/,
    behave: () => async (request, send) => {
      const name = String(fieldsOf(request).name)
      if (!is('createProject')(request)) return send(request)
      const taken = (await projectsFor(request, send)).some(
        (project) => project.name !== name && project.name.trim() === name.trim(),
      )
      return taken ? nameTaken(request, send) : send(request)
    },
  },
  {
    name: 'names are normalised when they are stored',
    tries: names,
    behave: onFields((fields) =>
      typeof fields.name === 'string' ? { ...fields, name: fields.name.normalize() } : fields,
    ),
  },
  {
    name: 'a project cannot take its own name in another case',
    tries: /own name/,
    behave: () => async (request, send) => {
      const { name } = fieldsOf(request)
      if (!is('updateProject')(request) || typeof name !== 'string') return send(request)
      const own = (await projectsFor(request, send)).find(({ id }) => request.path.endsWith(id))
      return own?.name.toLowerCase() === name.toLowerCase() ? nameTaken(request, send) : send(request)
    },
  },
  {
    name: 'the old name of a renamed project stays taken',
    tries: names,
    behave: () => {
      const old = new Set<string>()
      return async (request, send) => {
        const { name } = fieldsOf(request)
        if (is('createProject')(request) && typeof name === 'string' && old.has(name))
          return nameTaken(request, send)
        const before =
          is('updateProject')(request) && name !== undefined
            ? (await projectsFor(request, send)).find(({ id }) => request.path.endsWith(id))
            : undefined
        const response = await send(request)
        if (before && response.status === 200) old.add(before.name)
        return response
      }
    },
  },
  {
    name: 'a name has 255 characters at most',
    tries: /characters/,
    behave: () => (request, send) =>
      is('createProject')(request) && String(fieldsOf(request).name).length > 255
        ? invalidName(request, send)
        : send(request),
  },

  // Updates
  {
    name: 'an update replaces the description that it does not name',
    tries: /changes only/,
    behave: onFields((fields, method) => (method === 'PATCH' ? { description: '-', ...fields } : fields)),
  },
  {
    name: 'an update ignores the status',
    tries: /changes only/,
    behave: onFields(({ status, ...fields }, method) =>
      method === 'PATCH' ? fields : { ...fields, ...(status !== undefined && { status }) },
    ),
  },
  {
    name: 'an update is answered but not stored',
    tries: /changes only/,
    behave: () => async (request, send) => {
      if (!is('updateProject')(request) || !hasFields(request) || 'name' in fieldsOf(request))
        return send(request)
      const response = await send(withRequestJson(request, {}))
      return response.status === 200
        ? withJson(response, { project: { ...Object(jsonOf(response)).project, ...fieldsOf(request) } })
        : response
    },
  },
  {
    name: 'an empty update is refused',
    tries: /empty update/,
    behave: () => (request, send) =>
      is('updateProject')(request) && text(request.body) === '{}'
        ? invalidName(request, send)
        : send(request),
  },
  {
    name: 'an empty description is stored as null',
    tries: /description/,
    behave: onFields(({ description, ...fields }, method) =>
      description === '' && method === 'POST'
        ? fields
        : { ...fields, ...(description !== undefined && { description }) },
    ),
  },
  {
    name: 'a status is one of four',
    tries: /status/,
    behave: () => (request, send) =>
      is('updateProject')(request) &&
      !['undefined', 'active', 'paused', 'completed', 'archived'].includes(String(fieldsOf(request).status))
        ? invalidName(request, send)
        : send(request),
  },
  {
    name: 'a blank id updates the first project',
    tries: /blank/,
    behave: () => async (request, send) => {
      if (
        request.method !== 'PATCH' ||
        decodeURIComponent(request.path.slice(`${listPath}/`.length)).trim() !== ''
      )
        return send(request)
      const [first] = await projectsFor(request, send)
      return send({ ...request, path: `${listPath}/${first?.id}` })
    },
  },
  {
    name: 'ids are trimmed',
    tries: /unknown and foreign/,
    behave: onRequest((request) => ({ ...request, path: request.path.replace(/(%20)+$/, '') })),
  },

  // Bodies
  {
    name: 'unknown properties of a creation are ignored',
    tries: /unknown propert/,
    behave: onFields((fields, method) =>
      method === 'POST'
        ? Object.fromEntries(Object.entries(fields).filter(([name]) => /^(name|description)$/.test(name)))
        : fields,
    ),
  },
  {
    name: 'unknown properties of an update are ignored',
    tries: /unknown propert/,
    behave: onFields((fields, method) =>
      method === 'PATCH'
        ? Object.fromEntries(
            Object.entries(fields).filter(([name]) => /^(name|description|status)$/.test(name)),
          )
        : fields,
    ),
  },
  {
    name: 'numbers are coerced to strings',
    tries: /coerced/,
    behave: onFields((fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          typeof value === 'number' ? String(value) : value,
        ]),
      ),
    ),
  },
  {
    name: 'null is taken for a missing field',
    tries: /coerced/,
    behave: onFields((fields) =>
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
    ),
  },
  {
    name: 'U+0000 is removed',
    tries: /U\+0000/,
    behave: onFields((fields) => JSON.parse(JSON.stringify(fields).replaceAll('\\u0000', ''))),
  },
  {
    name: 'lone surrogates are replaced',
    tries: /surrogate/,
    behave: onFields((fields) =>
      JSON.parse(
        JSON.stringify(fields, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value)),
      ),
    ),
  },
  {
    name: 'the content type is not checked',
    tries: /media type/,
    behave: onRequest((request) => (request.body ? withType(request, 'application/json') : request)),
  },
  {
    name: 'media types that end with +json are accepted',
    tries: /media type/,
    behave: onRequest((request) =>
      /\+json/.test(typeOf(request) ?? '') ? withType(request, 'application/json') : request,
    ),
  },
  {
    name: 'a missing content type is JSON',
    tries: /content type/,
    behave: onRequest((request) =>
      request.body && !typeOf(request) ? withType(request, 'application/json') : request,
    ),
  },
  {
    name: 'parameters of the content type are refused',
    tries: /content type/,
    behave: onRequest((request) =>
      typeOf(request)?.includes(';') ? withType(request, 'text/plain') : request,
    ),
  },
  {
    name: 'a byte order mark is skipped',
    tries: body,
    behave: onRequest((request) =>
      request.body?.[0] === 0xef ? { ...request, body: request.body.slice(3) } : request,
    ),
  },
  {
    name: 'invalid UTF-8 is replaced',
    tries: body,
    behave: onRequest((request) =>
      request.body && !request.chunked ? withText(request, text(request.body)) : request,
    ),
  },
  {
    name: 'trailing commas are accepted',
    tries: body,
    behave: onRequest((request) =>
      request.body
        ? {
            ...request,
            body: Buffer.from(Buffer.from(request.body).toString('latin1').replace(/,}$/, '}'), 'latin1'),
          }
        : request,
    ),
  },
  {
    name: 'what follows the JSON is ignored',
    tries: body,
    behave: onRequest((request) =>
      text(request.body).endsWith('} {}') ? withText(request, text(request.body).slice(0, -3)) : request,
    ),
  },
  {
    name: 'an empty body is an empty object',
    tries: body,
    behave: onRequest((request) =>
      isChange(request) && !request.body?.length
        ? withType(withText(request, '{}'), 'application/json')
        : request,
    ),
  },
  {
    name: 'bodies may be larger',
    tries: /bytes/,
    behave: onRequest((request) =>
      request.body && request.body.length > 65_536 && jsonOf(request)
        ? withText(request, text(request.body).trim())
        : request,
    ),
  },
  {
    name: 'bodies may have half the size',
    tries: /bytes/,
    behave: () => (request, send) =>
      send(request.body && request.body.length > 32_768 ? withText(request, 'x'.repeat(65_537)) : request),
  },
  {
    name: 'the connection of a body that is too large is closed',
    tries: /bytes/,
    behave: () => (request, send) => {
      if ((request.body?.length ?? 0) > 65_536) throw new Error('socket hang up')
      return send(request)
    },
  },

  // The order of the checks
  {
    name: 'the body is checked before the session',
    tries: order,
    behave: checksFirst(
      (request, { cookieOf: of }) => withCookie(request, of('acme-owner')),
      [401],
      [413, 415, 422],
    ),
  },
  {
    name: 'the id is checked before the session',
    tries: order,
    behave: checksFirst(
      (request, { cookieOf: of }) => withCookie(request, of('acme-owner')),
      [401],
      [400, 404],
    ),
  },
  {
    name: 'the body is checked before the organisation',
    tries: order,
    behave: checksFirst(
      (request, { cookieOf: of }) => withCookie(request, of('acme-owner')),
      [400],
      [413, 415, 422],
    ),
  },
  {
    name: 'the body is checked before the team and the permission',
    tries: order,
    behave: checksFirst(
      (request, { cookieOf: of }) => withCookie(request, of('acme-owner')),
      [403],
      [413, 415, 422],
    ),
  },
  {
    name: 'the name is checked before the permission',
    tries: order,
    behave: checksFirst((request, { cookieOf: of }) => withCookie(request, of('acme-owner')), [403], [409]),
  },
  {
    name: 'the project is looked up before the permission',
    tries: order,
    behave: checksFirst((request, { cookieOf: of }) => withCookie(request, of('acme-owner')), [403], [404]),
  },
  {
    name: 'the body is checked before a blank id',
    tries: order,
    behave: checksFirst((request) => ({ ...request, path: `${listPath}/unknown` }), [400], [413, 415, 422]),
  },
  {
    name: 'the project is looked up before the body is checked',
    tries: order,
    behave: checksFirst(
      (request) => withRequestJson(withType(request, 'application/json'), {}),
      [422],
      [404],
    ),
  },
  {
    name: 'the name is checked before the project is looked up',
    tries: order,
    behave: () => async (request, send) => {
      const response = await send(request)
      const isTaken =
        response.status === 404 &&
        (await projectsFor(request, send)).some(({ name }) => name === fieldsOf(request).name)
      return isTaken ? nameTaken(request, send) : response
    },
  },

  // Paths and methods
  {
    name: 'a slash at the end is ignored',
    tries: /unknown/,
    behave: onRequest((request) => ({ ...request, path: request.path.replace(/(?<=\w)\/$/, '') })),
  },
  {
    name: 'the case of paths is ignored',
    tries: /unknown/,
    behave: onRequest((request) => ({
      ...request,
      path: request.path.startsWith('/v1/')
        ? request.path.replace(/^\/v1\/[^/]*/, (part) => part.toLowerCase())
        : request.path,
    })),
  },
  {
    name: 'repeated slashes count as one',
    tries: /unknown/,
    behave: onRequest((request) => ({ ...request, path: request.path.replace(/(?<=v1)\/\//, '/') })),
  },
  {
    name: 'percent-encoded paths are not decoded',
    tries: /percent-encoded/,
    behave: onRequest((request) => ({ ...request, path: request.path.replace('%70', '%2570') })),
  },
  {
    name: 'other methods are unknown paths',
    tries: /not allowed/,
    behave: () => async (request, send) => {
      const response = await send(request)
      return response.status === 405 ? send({ ...request, method: 'GET', path: '/v1/nothing' }) : response
    },
  },
  {
    name: 'Allow lists every method',
    tries: /not allowed/,
    behave: onResponse((response) =>
      response.status === 405
        ? { ...response, headers: { ...response.headers, allow: 'GET, HEAD, POST, PATCH' } }
        : response,
    ),
  },
  {
    name: 'HEAD is not known',
    tries: /HEAD/,
    behave: onResponse((response, { method }) =>
      method === 'HEAD' ? { ...response, status: 404 } : response,
    ),
  },
  {
    name: 'HEAD has another Content-Length',
    tries: /HEAD returns/,
    behave: onResponse((response, { method }) =>
      method === 'HEAD' ? { ...response, headers: { ...response.headers, 'content-length': '2' } } : response,
    ),
  },
  {
    name: 'paths outside of /v1/ lead to operations',
    tries: /9 paths|is unknown, with/,
    behave: onRequest((request) => ({
      ...request,
      path: request.path.replace(/^\/(projects|waitlist)/, '/v1/$1'),
    })),
    notCaught:
      'An origin may serve other things outside of /v1/, so such cases are for the suite of the project alone.',
  },

  // Errors and their pages
  {
    name: 'the pages of errors do not open',
    tries: /session/,
    behave: onResponse((response, { path }) =>
      path.startsWith('/docs/') ? { ...response, status: 404 } : response,
    ),
  },
  {
    name: 'the pages of errors are about something else',
    tries: /session/,
    behave: onResponse((response, { path }) =>
      path.startsWith('/docs/') ? { ...response, text: '<p>Welcome' } : response,
    ),
  },
  {
    name: 'the pages of errors cannot be reached',
    tries: /session/,
    behave: onResponse((response) => ({
      ...response,
      text: response.text.replace(/http:\/\/127\.0\.0\.1:\d+\/docs/, 'http://127.0.0.1:1/docs'),
    })),
  },
  {
    name: 'every page of an error is the same',
    tries: /session|not allowed/,
    behave: onResponse((response) => ({
      ...response,
      text: response.text.replace(/\/docs\/errors\/[a-z-]+/, '/docs/errors/auth-required'),
    })),
  },
  {
    name: 'errors of the session have the full form',
    tries: /session/,
    behave: () => async (request, send) => {
      const response = await send(request)
      return is('getSession')(request) && response.status === 401
        ? send({ ...request, path: listPath })
        : response
    },
  },

  // The waitlist
  {
    name: 'addresses are not trimmed before they are checked',
    tries: waitlist,
    behave: onResponse((response, request) =>
      is('joinWaitlist')(request) && /^\s|\s$/.test(String(fieldsOf(request).email))
        ? short(response, 422, 'email_required')
        : response,
    ),
  },
  {
    name: 'addresses are stored untrimmed',
    tries: /joins the waitlist|repeated address/,
    behave: () => (request, send) => send(request),
    notCaught: 'The interface has no operation that reads the waitlist. The tests of the stores check it.',
  },
  {
    name: 'addresses are not stored at all',
    tries: /joins the waitlist|repeated address/,
    behave: onRequest((request) =>
      is('joinWaitlist')(request) &&
      typeof fieldsOf(request).email === 'string' &&
      fieldsOf(request).email !== '' &&
      /^[^@\s]+@[^@\s]+$/.test(String(fieldsOf(request).email).trim())
        ? withRequestJson(request, { email: 'nobody@example.com' })
        : request,
    ),
    notCaught: 'The interface has no operation that reads the waitlist. The tests of the stores check it.',
  },
  {
    name: 'a repeated address is 409',
    tries: waitlist,
    behave: () => {
      const known = new Set<string>()
      return async (request, send) => {
        const response = await send(request)
        const email = String(fieldsOf(request).email).trim().toLowerCase()
        if (!is('joinWaitlist')(request) || response.status !== 200) return response
        if (known.has(email)) return short(response, 409, 'known')
        known.add(email)
        return response
      }
    },
  },
  {
    name: 'the waitlist needs a session',
    tries: waitlist,
    behave: () => async (request, send) =>
      is('joinWaitlist')(request)
        ? (await send(get(request, '/v1/auth/me'))).status === 401
          ? send(get(request, '/v1/auth/me'))
          : send(request)
        : send(request),
  },
  {
    name: 'addresses in capitals are refused',
    tries: waitlist,
    behave: onResponse((response, request) =>
      is('joinWaitlist')(request) && /[A-Z]/.test(String(fieldsOf(request).email))
        ? short(response, 422, 'email_required')
        : response,
    ),
  },
  {
    name: 'addresses with a plus sign are refused',
    tries: waitlist,
    behave: onResponse((response, request) =>
      is('joinWaitlist')(request) && String(fieldsOf(request).email).includes('+')
        ? short(response, 422, 'email_required')
        : response,
    ),
  },
  {
    name: 'unknown properties of a sign-up are refused',
    tries: waitlist,
    behave: onResponse((response, request) =>
      is('joinWaitlist')(request) && Object.keys(fieldsOf(request)).length > 1
        ? short(response, 422, 'email_required')
        : response,
    ),
  },
  {
    name: 'whatever is sent joins the waitlist',
    tries: waitlist,
    behave: onRequest((request) =>
      is('joinWaitlist')(request) && hasText(fieldsOf(request).email)
        ? withRequestJson(request, { email: 'x@example.com' })
        : request,
    ),
  },

  // Concurrency
  {
    name: 'one of two concurrent creations fails with 500',
    tries: /oncurrent/,
    behave: () => {
      let pending = 0
      return async (request, send) => {
        if (!is('createProject')(request)) return send(request)
        pending += 1
        const isSecond = pending > 1
        const response = await send(request)
        pending -= 1
        return isSecond ? { ...response, status: 500 } : response
      }
    },
  },
  {
    name: 'one of two concurrent creations is lost',
    tries: /oncurrent/,
    behave: () => {
      let pending: Promise<ProxyResponse> | undefined
      return async (request, send) => {
        if (!is('createProject')(request)) return send(request)
        const first = pending
        if (first) return first
        pending = send(request)
        const response = await pending
        pending = undefined
        return response
      }
    },
  },

  // Signing in and out
  {
    name: 'signing out redirects to any site',
    tries: /sign-out|signs out/,
    behave: onResponse((response, { path }) =>
      path.startsWith('/auth/sign-out?returnTo=') && response.status === 303
        ? {
            ...response,
            headers: { ...response.headers, location: decodeURIComponent(path.split('returnTo=')[1] ?? '') },
          }
        : response,
    ),
  },
  {
    name: 'signing out ends no session',
    tries: /sign-out|signs out|Signing out/,
    mode: 'production',
    behave: () => async (request, send) =>
      request.path.startsWith('/auth/sign-out')
        ? send({ ...request, headers: request.headers.filter(([name]) => name.toLowerCase() !== 'cookie') })
        : send(request),
    notCaught: 'Cases that sign out would end the sessions that the verifier was given.',
  },
]

function hasText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0
}
