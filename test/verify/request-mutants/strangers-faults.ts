import {
  jsonOf,
  type ProxyRequest,
  type ProxyResponse,
  withJson,
  withRequestJson,
} from '../broken-server-proxy.js'
import {
  cookieOf,
  fieldsOf,
  get,
  invalidName,
  listPath,
  type Misbehaviour,
  nameTaken,
  type Project,
  projectsFor,
  text,
  withCookie,
  withText,
} from '../misbehaviours/misbehaviour.js'
import {
  asCaller,
  both,
  countRunning,
  header,
  is,
  isChange,
  mutant,
  onProjects,
  stateful,
  type When,
  withStatus,
} from './request-mutant.js'

// Faults that a stranger to the cases would try. Each depends on the request.

const string = (request: ProxyRequest, field: string) => {
  const value = fieldsOf(request)[field]
  return typeof value === 'string' ? value : undefined
}
const having = (field: string, pattern: RegExp): When =>
  both(isChange, (request) => pattern.test(string(request, field) ?? ''))
const refuses = (what: string, when: When) =>
  mutant(what, when, (request, send) => invalidName({ ...request, chunked: false }, send))
const bodyHas = (pattern: RegExp): When =>
  both(
    (request) => isChange(request, undefined as never) || is('joinWaitlist')(request),
    (request) => pattern.test(text(request.body)),
  )
const by =
  (persona: Parameters<typeof asCaller>[0]): When =>
  (request, { cookieOf: of }) =>
    cookieOf(request) === of(persona)
const projectOf = (response: ProxyResponse) => (Object(jsonOf(response)) as { project?: Project }).project
const emailIs = (pattern: RegExp): When =>
  both(is('joinWaitlist'), (request) => pattern.test(string(request, 'email') ?? ''))
const notAnAddress = async (request: ProxyRequest, send: (request: ProxyRequest) => Promise<ProxyResponse>) =>
  send(withRequestJson(request, { email: '' }))
/** Of a list or bundle. */
const reads: When = (request) => is('listProjects')(request) || is('getSession')(request)
const without = (drop: (project: Project) => boolean) =>
  onProjects((projects) => projects.filter((project) => !drop(project)))
const namesCut = (length: number) =>
  onProjects((projects) => projects.map((project) => ({ ...project, name: project.name.slice(0, length) })))

const ofTexts: Misbehaviour[] = [
  refuses('a name of a no-break space is blank', having('name', /^\u00a0+$/)),
  refuses('a name of an ideographic space is blank', having('name', /^\u3000+$/)),
  refuses('a name of a zero-width space is blank', having('name', /^\u200b+$/)),
  refuses('a name of a line separator is blank', having('name', /^\u2028+$/)),
  refuses('a name of dots is refused', having('name', /^\.+$/)),
  refuses('a name of punctuation is refused', having('name', /^[!?]+$/)),
  refuses('a name with a backtick is refused', having('name', /`/)),
  refuses('a name with a private use character is refused', having('name', /\ue000/)),
  refuses('an escaped surrogate pair is refused', bodyHas(/\\ud83d\\ude/i)),
  refuses('an escaped slash is refused', bodyHas(/\\\//)),
  refuses('an escaped letter in upper-case digits is refused', bodyHas(/\\u00[0-9]*[A-F]/)),
  mutant(
    'chunked texts beyond ASCII are changed',
    both(isChange, (request) => request.chunked && /[^\0-\x7f]/.test(text(request.body))),
    (request, send) => send(withText(request, text(request.body).replace(/[^\0-\x7f]/, '\ufffd'))),
  ),
  mutant('the list cuts names of more than 2,000 characters', is('listProjects'), namesCut(2000)),
  mutant('the bundle cuts names of more than 2,000 characters', is('getSession'), namesCut(2000)),
  mutant('the list cuts names of more than 30,000 characters', is('listProjects'), namesCut(30_000)),
  mutant(
    'the bundle has no names of more than 10,000 characters',
    is('getSession'),
    without(({ name }) => name.length > 10_000),
  ),
  mutant(
    'the description that is the name is null',
    both(
      is('createProject'),
      (request) =>
        string(request, 'description') !== undefined &&
        string(request, 'description') === string(request, 'name'),
    ),
    (request, send) => send(withRequestJson(request, { name: string(request, 'name') })),
  ),
]

const ofStatuses: Misbehaviour[] = [
  ...['deleted', 'archived', 'completed', 'inactive', 'hidden', 'cancelled', 'draft', 'private'].map(
    (status) =>
      mutant(
        `the list has no projects that are ${status}`,
        is('listProjects'),
        without((project) => project.status === status),
      ),
  ),
  stateful('the bundle has no projects that are completed', reads, () => {
    return async (request, send) => {
      const response = await send(request)
      if (!is('getSession')(request) || response.status !== 200) return response
      const hidden = (await projectsFor(request, send)).filter(({ status }) => status === 'completed')
      const json = Object(jsonOf(response)) as { projects: Project[] }
      return withJson(response, {
        ...json,
        projects: json.projects.filter(({ id }) => !hidden.some((project) => project.id === id)),
      })
    }
  }),
  mutant('statuses are in lower case', having('status', /[A-Z]/), (request, send) =>
    send(
      withRequestJson(request, { ...fieldsOf(request), status: string(request, 'status')?.toLowerCase() }),
    ),
  ),
]

const ofCallers: Misbehaviour[] = [
  stateful('who creates a project may update it', isChange, ({ cookieOf: of }) => {
    const created = new Map<string, string | undefined>()
    return async (request, send) => {
      const creator = created.get(request.path.split('/').at(-1) ?? '')
      if (is('updateProject')(request) && creator !== undefined && creator === cookieOf(request))
        return send(withCookie(request, of('acme-owner')))
      const response = await send(request)
      if (response.status === 201) created.set(projectOf(response)?.id ?? '', cookieOf(request))
      return response
    }
  }),
  mutant(
    'an empty update needs no permission',
    both(is('updateProject'), (request) => text(request.body) === '{}'),
    asCaller('acme-owner'),
  ),
  mutant(
    'a viewer may set the description',
    both(
      is('updateProject'),
      by('acme-viewer'),
      (request) => Object.keys(fieldsOf(request)).join() === 'description',
    ),
    asCaller('acme-owner'),
  ),
  mutant(
    'a member may not rename',
    both(is('updateProject'), by('acme-member'), (request) => string(request, 'name') !== undefined),
    asCaller('acme-viewer'),
  ),
  mutant(
    'a creator reads no descriptions',
    both(is('listProjects'), by('acme-creator')),
    onProjects((projects) => projects.map((project) => ({ ...project, description: null }))),
  ),
  mutant(
    'an updater may create with a description',
    both(is('createProject'), by('acme-updater'), (request) => string(request, 'description') !== undefined),
    asCaller('acme-owner'),
  ),
  mutant(
    'a near miss may update what it names',
    both(is('updateProject'), by('acme-near-miss'), (request) => string(request, 'name') !== undefined),
    asCaller('acme-owner'),
  ),
  mutant(
    'changes of the same site are run',
    both(
      isChange,
      (request) =>
        header(request, 'sec-fetch-site') === 'same-site' && header(request, 'origin') !== undefined,
    ),
    (request, send) =>
      send({
        ...request,
        headers: request.headers.filter(([name]) => !/^(origin|sec-fetch-site)$/.test(name)),
      }),
  ),
]

const ofBodies: Misbehaviour[] = [
  mutant(
    'unknown properties that are null are ignored',
    both(isChange, (request) =>
      Object.entries(fieldsOf(request)).some(
        ([key, value]) => value === null && !/^(name|description|status)$/.test(key),
      ),
    ),
    (request, send) =>
      send(
        withRequestJson(
          request,
          Object.fromEntries(Object.entries(fieldsOf(request)).filter(([, value]) => value !== null)),
        ),
      ),
  ),
  mutant(
    'unknown properties with an underscore are ignored',
    both(isChange, (request) =>
      Object.keys(fieldsOf(request)).some((key) => key.startsWith('_') && key !== '__proto__'),
    ),
    (request, send) =>
      send(
        withRequestJson(
          request,
          Object.fromEntries(Object.entries(fieldsOf(request)).filter(([key]) => !key.startsWith('_'))),
        ),
      ),
  ),
  mutant(
    'unknown properties beside all fields are ignored',
    both(
      is('updateProject'),
      (request) =>
        Object.keys(fieldsOf(request)).length > 3 &&
        'name' in fieldsOf(request) &&
        'status' in fieldsOf(request) &&
        'description' in fieldsOf(request),
    ),
    (request, send) =>
      send(
        withRequestJson(request, {
          name: fieldsOf(request).name,
          status: fieldsOf(request).status,
          description: fieldsOf(request).description,
        }),
      ),
  ),
]

const ofWaitlist: Misbehaviour[] = [
  mutant('a domain beyond ASCII is refused', emailIs(/@.*[^\0-\x7f\s]/), notAnAddress),
  mutant('an underscore in the domain is refused', emailIs(/@.*_/), notAnAddress),
  mutant('punctuation in the name is refused', emailIs(/^[^@]*[!#$%&^{|}~].*@/), notAnAddress),
  mutant('a hyphen at the start of the domain is refused', emailIs(/@-/), notAnAddress),
  mutant('a domain of digits is refused', emailIs(/@\d+\./), notAnAddress),
]

const ofState: Misbehaviour[] = [
  stateful('the bundle is as it was at the last list', reads, () => {
    const kept = new Map<string, Project[]>()
    return async (request, send) => {
      const response = await send(request)
      const key = cookieOf(request) ?? ''
      if (is('listProjects')(request) && response.status === 200 && request.method === 'GET')
        kept.set(key, Object(jsonOf(response)).projects)
      if (!is('getSession')(request) || response.status !== 200 || request.method !== 'GET') return response
      const old = kept.get(key) ?? Object(jsonOf(response)).projects
      kept.set(key, old)
      return withJson(response, {
        ...Object(jsonOf(response)),
        projects: old.map(({ id, name }: Project) => ({ id, name })),
      })
    }
  }),
  stateful('a creation at the same time as an update is not stored', isChange, () => {
    const updates = countRunning(is('updateProject'))
    return async (request, send) => {
      const response = await updates.send(request, send)
      if (
        !is('createProject')(request) ||
        request.method !== 'POST' ||
        response.status !== 201 ||
        !updates.isRunning()
      )
        return response
      const project = projectOf(response) as Project
      // It gets a name that the interface cannot tell from a lost one.
      await send(
        withRequestJson(
          { ...request, method: 'PATCH', path: `${listPath}/${project.id}` },
          { name: `verify ${project.id}` },
        ),
      )
      return response
    }
  }),
  stateful('a name of three creations ago is free', is('createProject'), () => {
    const recent: string[] = []
    return async (request, send) => {
      const name = string(request, 'name')
      if (is('createProject')(request) && request.method === 'POST' && name && recent.indexOf(name) > 1)
        return withStatus(201)(
          request,
          (sent) => send(withRequestJson(sent, { name: `${name} ` })),
          undefined as never,
        )
      const response = await send(request)
      if (response.status === 201 && name) recent.unshift(name)
      return response
    }
  }),
  stateful('the third update of a project is not stored', is('updateProject'), () => {
    const counts = new Map<string, number>()
    return async (request, send) => {
      if (!is('updateProject')(request)) return send(request)
      const count = (counts.get(request.path) ?? 0) + 1
      counts.set(request.path, count)
      if (count !== 3) return send(request)
      const old = await send(withRequestJson(request, {}))
      return old.status === 200
        ? withJson(old, { project: { ...projectOf(old), ...fieldsOf(request) } })
        : send(request)
    }
  }),
  ...[
    ['the dotless i', 'ı'],
    ['the long s', 'ſ'],
    ['the Kelvin sign', '\u212a'],
    ['the micro sign', '\u00b5'],
    ['the final sigma', 'ς'],
  ].map(([what, letter = '']) =>
    stateful(`${what} is a letter of its own in names`, isChange, () => async (request, send) => {
      const response = await send(request)
      const name = string(request, 'name') ?? ''
      if (response.status !== 409 || !name.includes(letter)) return response
      return send(withRequestJson(request, { ...fieldsOf(request), name: `${name}\u2063` }))
    }),
  ),
  stateful('a name that was taken once stays taken', is('createProject'), () => {
    const taken = new Set<string>()
    return async (request, send) => {
      const name = string(request, 'name') ?? ''
      const response = await send(request)
      if (is('createProject')(request) && response.status === 409) taken.add(name)
      return response.status === 201 && taken.has(name) ? nameTaken(request, send) : response
    }
  }),
  mutant(
    'HEAD of the list is an error for a viewer',
    both(is('listProjects'), by('acme-viewer'), ({ method }) => method === 'HEAD'),
    withStatus(403),
  ),
  mutant(
    'a bundle of a caller without organisation has no permissions',
    both(is('getSession'), by('no-organization')),
    async (request, send) => {
      const response = await send(get(request, '/v1/auth/me'))
      return withJson(response, { ...Object(jsonOf(response)), organization: { orgCode: 'none' } })
    },
  ),
]

export const strangersFaults: Misbehaviour[] = [
  ...ofTexts,
  ...ofStatuses,
  ...ofCallers,
  ...ofBodies,
  ...ofWaitlist,
  ...ofState,
]
