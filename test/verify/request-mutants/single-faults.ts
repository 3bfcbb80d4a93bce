import { jsonOf, type ProxyRequest, type Send, withJson, withRequestJson } from '../broken-server-proxy.js'
import {
  cookieOf,
  fieldsOf,
  get,
  type Misbehaviour,
  nameTaken,
  projectsFor,
  withCookie,
} from '../misbehaviours/misbehaviour.js'
import { both, header, is, mutant, pathOf, stateful, type When, withStatus } from './request-mutant.js'

// Faults of servers that were listed without a look at the cases.

const at =
  (method: string, pattern: RegExp): When =>
  (request) =>
    request.method === method && pattern.test(request.path)
const answering = (status: number, json: unknown) => async (request: ProxyRequest, send: Send) =>
  withJson({ ...(await send(request)), status }, json)
const emailMatches = (pattern: RegExp): When =>
  both(is('joinWaitlist'), (request) => {
    const { email } = fieldsOf(request)
    return typeof email === 'string' && pattern.test(email)
  })
const refusesEmail = (what: string, pattern: RegExp) =>
  mutant(
    `addresses with ${what} are refused`,
    emailMatches(pattern),
    answering(422, { error: 'email_required' }),
  )
const acceptsEmail = (what: string, pattern: RegExp) =>
  mutant(`addresses with ${what} are accepted`, emailMatches(pattern), answering(200, { status: 'ok' }))
const leads =
  (pattern: RegExp, path: (path: string) => string) => async (request: ProxyRequest, send: Send) =>
    send({ ...request, path: request.path.replace(pattern, path(request.path)) })

const isOwner: When = (request, { cookieOf: of }) => cookieOf(request) === of('acme-owner')
const created = (request: ProxyRequest) => fieldsOf(request) as { name: string; description?: string }

const pathFaults: Misbehaviour[] = [
  mutant(
    'the path of an update is compared without case',
    at('PATCH', /^\/v1\/Projects\//),
    leads(/Projects/, () => 'projects'),
  ),
  mutant(
    'a percent-encoded slash divides the path of an update',
    at('PATCH', /^\/v1(%2f|\/projects%2f)/i),
    leads(/%2f/i, () => '/'),
  ),
  mutant('an empty query is an unknown path', at('GET', /^\/v1\/projects\?$/), withStatus(404)),
  mutant('a query that is not percent-encoded UTF-8 is an error', at('GET', /\?.*%zz/), withStatus(400)),
  mutant('an owner may delete a project', both(at('DELETE', /^\/v1\/projects\/./), isOwner), withStatus(204)),
  mutant(
    'an owner may delete all projects',
    both(at('DELETE', /^\/v1\/projects$/), isOwner),
    withStatus(204),
  ),
  mutant('an owner may replace a project', both(at('PUT', /^\/v1\/projects\/./), isOwner), (request, send) =>
    send({ ...request, method: 'PATCH' }),
  ),
  mutant(
    'an owner may read a project',
    both(at('GET', /^\/v1\/projects\/./), isOwner),
    async (request, send) => {
      const [project] = await projectsFor(request, send)
      return withJson({ ...(await send(get(request))), status: 200 }, { project })
    },
  ),
  mutant('an owner may post to the session', both(at('POST', /^\/v1\/auth\/me$/), isOwner), (request, send) =>
    send(get(request, '/v1/auth/me')),
  ),
  mutant(
    'an owner may list the waitlist',
    both(at('GET', /^\/v1\/waitlist$/), isOwner),
    answering(200, { emails: [] }),
  ),
  mutant('a method of an unknown id is 404', at('GET', /^\/v1\/projects\/[a-z]+$/), withStatus(404)),
  mutant(
    'a slash at the end of an update is ignored',
    at('PATCH', /^\/v1\/projects\/[^/?]+\/$/),
    leads(/\/$/, () => ''),
  ),
]

const stateFaults: Misbehaviour[] = [
  stateful(
    'a creation with a taken name replaces the description',
    is('createProject'),
    () => async (request, send) => {
      const response = await send(request)
      const { name, description } = created(request)
      if (response.status !== 409 || typeof description !== 'string') return response
      const old = (await projectsFor(request, send)).find(
        (project) => project.name.toLowerCase() === name.toLowerCase(),
      )
      if (old)
        await send(
          withRequestJson({ ...request, method: 'PATCH', path: `/v1/projects/${old.id}` }, { description }),
        )
      return response
    },
  ),
  stateful(
    'an update of an unknown id creates a project',
    is('updateProject'),
    () => async (request, send) => {
      const response = await send(request)
      const { name } = created(request)
      if (response.status === 404 && typeof name === 'string')
        await send(withRequestJson({ ...request, method: 'POST', path: '/v1/projects' }, { name }))
      return response
    },
  ),
  stateful('a refused creation reserves its name', is('createProject'), () => {
    const reserved = new Set<unknown>()
    return async (request, send) => {
      const { name } = created(request)
      if (is('createProject')(request) && request.method === 'POST' && reserved.has(name))
        return nameTaken(request, send)
      const response = await send(request)
      if (response.status === 403 && name !== undefined) reserved.add(name)
      return response
    }
  }),
  stateful('the name of a project that was archived is free', is('updateProject'), () => {
    const archived = new Map<string, string>()
    return async (request, send) => {
      const response = await send(request)
      const { project } = Object(jsonOf(response)) as {
        project?: { id: string; name: string; status: string }
      }
      if (request.method === 'PATCH' && project) {
        if (project.status === 'archived') archived.set(project.name.toLowerCase(), project.id)
        else archived.delete(project.name.toLowerCase())
      }
      if (
        is('createProject')(request) &&
        response.status === 409 &&
        archived.has(created(request).name.toLowerCase())
      ) {
        const other = await send(
          withRequestJson(request, { ...created(request), name: `${created(request).name} ` }),
        )
        return withJson(other, { project: { ...Object(jsonOf(other)).project, name: created(request).name } })
      }
      return response
    }
  }),
  stateful('names are compared by their first 1,000 characters', is('createProject'), () => {
    const starts = new Set<string>()
    return async (request, send) => {
      const { name } = created(request)
      if (is('createProject')(request) && typeof name === 'string' && name.length > 1000) {
        if (starts.has(name.slice(0, 1000))) return nameTaken(request, send)
        starts.add(name.slice(0, 1000))
      }
      return send(request)
    }
  }),
  stateful(
    'a project that takes its own name in another case keeps its other fields',
    is('updateProject'),
    () => async (request, send) => {
      const { name, ...others } = created(request) as Record<string, unknown>
      if (is('updateProject')(request) && typeof name === 'string' && Object.keys(others).length > 0) {
        const id = pathOf(request).split('/').at(-1)
        const old = (await projectsFor(request, send)).find((project) => project.id === id)
        if (old && old.name !== name && old.name.toLowerCase() === name.toLowerCase())
          return send(withRequestJson(request, { name }))
      }
      return send(request)
    },
  ),
]

const cookies = (request: ProxyRequest) => (cookieOf(request) ?? '').split(';')

const headerFaults: Misbehaviour[] = [
  mutant(
    'cookies are divided by a semicolon and a space',
    (request) => /;session=/.test(cookieOf(request) ?? ''),
    (request, send) => send(withCookie(request, 'x=y')),
  ),
  mutant(
    'of many cookies the first twenty are read',
    (request) => cookies(request).length > 20,
    (request, send) => send(withCookie(request, cookies(request).slice(0, 20).join(';'))),
  ),
  mutant(
    'Prefer: return=minimal is obeyed',
    (request) => header(request, 'prefer') !== undefined,
    withStatus(204),
  ),
  mutant(
    'a page of the own site may not write',
    both(is('createProject'), (request) => header(request, 'sec-fetch-site') === 'same-origin'),
    withStatus(403),
  ),
  mutant(
    'a page of the own origin may not write',
    both(is('createProject'), (request) =>
      /^https?:\/\/(127\.0\.0\.1|localhost)/.test(header(request, 'origin') ?? ''),
    ),
    withStatus(403),
  ),
  mutant(
    'a too large body in chunks is checked before the session',
    both(is('createProject'), (request) => request.chunked && cookieOf(request) === undefined),
    withStatus(413),
  ),
  mutant('the cookie is cleared for /auth alone', at('POST', /^\/auth\/sign-out/), async (request, send) => {
    const response = await send(request)
    const cookie = response.headers['set-cookie']?.replace('Path=/', 'Path=/auth') ?? ''
    return { ...response, headers: { ...response.headers, 'set-cookie': cookie } }
  }),
  mutant(
    'a sign-in redirects to any site',
    at('POST', /^\/auth\/sign-in\?returnTo=.*evil/),
    async (request, send) => {
      const response = await send(request)
      const to = new URL(request.path, 'http://service').searchParams.get('returnTo') ?? '/'
      return { ...response, headers: { ...response.headers, location: to } }
    },
  ),
]

const keysBefore = (request: ProxyRequest, key: string) => Object.keys(fieldsOf(request)).indexOf(key) > 0

const bodyFaults: Misbehaviour[] = [
  mutant(
    'the name of a creation has to be the first key',
    both(is('createProject'), (request) => keysBefore(request, 'name')),
    withStatus(422),
  ),
  mutant(
    'the status of an update has to be the last key',
    both(is('updateProject'), (request) => {
      const keys = Object.keys(fieldsOf(request))
      return keys.includes('status') && keys.at(-1) !== 'status'
    }),
    withStatus(422),
  ),
  refusesEmail('a no-break space around', /^\u00a0|\u3000$/),
  refusesEmail('254 characters and spaces around', /^\s+\S{254}\s+$/),
  refusesEmail('a quote', /"/),
  refusesEmail('two dots in a row', /\.\./),
  refusesEmail('a dot at the start', /^\./),
  refusesEmail('no dot in the domain', /@[^.]+$/),
  acceptsEmail('a control character', /[^\P{Cc}\s]/u),
  acceptsEmail('a no-break space inside', /\S[\u00a0\u3000\u2028]\S/),
]

export const singleFaults: Misbehaviour[] = [...pathFaults, ...stateFaults, ...headerFaults, ...bodyFaults]
