import {
  jsonOf,
  type ProxyRequest,
  type ProxyResponse,
  type Send,
  withJson,
  withRequestJson,
} from '../broken-server-proxy.js'
import {
  cookieOf,
  fieldsOf,
  get,
  type Misbehaviour,
  nameTaken,
  projectsFor,
  text,
  typeOf,
  withText,
  withType,
} from '../misbehaviours/misbehaviour.js'
import {
  allOperations,
  both,
  changes,
  countRunning,
  editing,
  is,
  mutant,
  onProject,
  onProjects,
  pathOf,
  reads,
  sessionOf,
  stateful,
  type When,
  withHeader,
  withStatus,
} from './request-mutant.js'

// Bodies of a certain form, earlier requests, requests at the same time, and times.

const raw = (request: ProxyRequest) => text(request.body)
const body =
  (matches: (raw: string) => boolean): When =>
  (request) =>
    request.body !== undefined && request.body.length < 65_537 && matches(raw(request))
const depth = (json: string) => {
  let [depth, deepest] = [0, 0]
  for (const char of json) {
    if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth)
    else if (char === ']' || char === '}') depth--
  }
  return deepest
}
const duplicated = (json: string) => /"(name|description|status|email)"[^}]*"\1"\s*:/.test(json)
const firstOfDuplicates = (json: string) =>
  json.replace(/("(name|description|status|email)"\s*:\s*"[^"]*")([^}]*?),\s*"\2"\s*:\s*"[^"]*"/, '$1$3')

const writes = [...changes, 'joinWaitlist'] as const

const bodyMutants: Misbehaviour[] = writes.flatMap((operation) => [
  mutant(
    `${operation}: deep JSON is an error`,
    both(
      is(operation),
      body((json) => depth(json) > 50),
    ),
    withStatus(500),
  ),
  mutant(
    `${operation}: of duplicate keys the first counts`,
    both(is(operation), body(duplicated)),
    (request, send) => send(withText(request, firstOfDuplicates(raw(request)))),
  ),
  mutant(`${operation}: duplicate keys are refused`, both(is(operation), body(duplicated)), (request, send) =>
    send(withText(request, '{')),
  ),
  mutant(
    `${operation}: escapes in keys are not read`,
    both(
      is(operation),
      body((json) => /"[^"]*\\u[^"]*"\s*:/.test(json)),
    ),
    (request, send) => send(withText(request, raw(request).replace(/\\u00/g, '_'))),
  ),
  mutant(
    `${operation}: escaped texts are not decoded`,
    both(
      is(operation),
      body((json) => /:\s*"[^"]*\\u00[2-7]/.test(json)),
    ),
    (request, send) => send(withText(request, raw(request).replaceAll('\\u00', '\\\\u00'))),
  ),
  mutant(
    `${operation}: white space in JSON is refused`,
    both(
      is(operation),
      body((json) => /^\s/.test(json) && json.trim() !== '' && /^\s*\{/.test(json)),
    ),
    withStatus(422),
  ),
  mutant(
    `${operation}: many properties are an error`,
    both(
      is(operation),
      body((json) => Object.keys(Object(jsonOf({ text: json }))).length > 100),
    ),
    withStatus(500),
  ),
  mutant(
    `${operation}: a charset other than UTF-8 is refused`,
    both(is(operation), (request) => /charset=(?!"?utf-8)/i.test(typeOf(request) ?? '')),
    withStatus(415),
    { notCaught: 'The interface does not say what other charsets of JSON mean.' },
  ),
])

const atATime =
  (
    operation: (typeof allOperations)[number],
    onSecond: (
      response: ProxyResponse,
      request: ProxyRequest,
      send: Send,
      other: ProxyRequest,
    ) => ProxyResponse | Promise<ProxyResponse>,
  ) =>
  (): ReturnType<Misbehaviour['behave']> => {
    const pending: ProxyRequest[] = []
    return async (request, send) => {
      if (!is(operation)(request)) return send(request)
      const other = pending.at(-1)
      pending.push(request)
      try {
        const response = await send(request)
        return other ? await onSecond(response, request, send, other) : response
      } finally {
        pending.splice(pending.indexOf(request), 1)
      }
    }
  }

const concurrencyMutants: Misbehaviour[] = [
  ...allOperations.map((operation) =>
    stateful(
      `${operation}: of requests at the same time one is an error`,
      is(operation),
      atATime(operation, (response) => ({ ...response, status: 500 })),
    ),
  ),
  ...reads.map((operation) =>
    stateful(
      `${operation}: callers at the same time get each other's response`,
      is(operation),
      atATime(operation, (response, request, send, other) =>
        cookieOf(other) !== cookieOf(request) ? send(other) : response,
      ),
    ),
  ),
  ...(['name', 'description', 'status'] as const).map((field) =>
    stateful(`an update loses a concurrent change of ${field}`, is('updateProject'), () => {
      const pending = new Map<ProxyRequest, unknown>()
      return async (request, send) => {
        if (!is('updateProject')(request)) return send(request)
        const before = (await projectsFor(request, send)).find(({ id }) => pathOf(request).endsWith(id))?.[
          field
        ]
        const others = [...pending.keys()].some(
          (other) => pathOf(other) === pathOf(request) && field in fieldsOf(other),
        )
        pending.set(request, undefined)
        await new Promise((resolve) => setImmediate(resolve))
        const writesBack = others && !(field in fieldsOf(request)) && typeof before === 'string'
        const response = await send(request)
        pending.delete(request)
        if (writesBack) await send(withRequestJson(request, { [field]: before }))
        return response
      }
    }),
  ),
  stateful(
    'of concurrent updates of one field the response of one is not stored',
    is('updateProject'),
    atATime('updateProject', (response, request) =>
      response.status === 200
        ? withJson(response, {
            project: { ...Object(jsonOf(response)).project, ...fieldsOf(request), status: 'both' },
          })
        : response,
    ),
  ),
  stateful(
    'concurrent creations have the same time for their id',
    is('createProject'),
    atATime('createProject', (response) =>
      response.status === 201
        ? withJson(response, {
            project: { ...Object(jsonOf(response)).project, id: '0198c0de-0000-7000-8000-000000000001' },
          })
        : response,
    ),
  ),
  stateful(
    'concurrent creations of both teams go to one',
    is('createProject'),
    atATime('createProject', (response, request, send, other) =>
      cookieOf(other) !== cookieOf(request) ? send({ ...request, headers: other.headers }) : response,
    ),
  ),
  stateful(
    'concurrent sign-ups of other addresses are refused',
    is('joinWaitlist'),
    atATime('joinWaitlist', (response, request, _, other) =>
      raw(request) !== raw(other) ? { ...response, status: 409 } : response,
    ),
  ),
  stateful('a list at the same time as a creation is empty', is('listProjects'), () => {
    const creations = countRunning(is('createProject'))
    return async (request, send) => {
      const isDuring = creations.isRunning()
      const response = await creations.send(request, send)
      return isDuring && is('listProjects')(request) && response.status === 200
        ? withJson(response, { projects: [] })
        : response
    }
  }),
]

/** Answers otherwise once something has happened. */
const onceSeen = (
  name: string,
  applies: When,
  isEvent: (request: ProxyRequest, response: ProxyResponse) => boolean,
  effect: (request: ProxyRequest, send: Send) => ProxyResponse | Promise<ProxyResponse>,
  after = 1,
) =>
  stateful(name, applies, (context) => {
    let seen = 0
    return async (request, send) => {
      if (seen >= after && applies(request, context)) {
        seen = 0
        return effect(request, send)
      }
      const response = await send(request)
      if (isEvent(request, response)) seen++
      return response
    }
  })

const stateMutants: Misbehaviour[] = [
  onceSeen(
    'after a refusal the next request is refused too',
    is('listProjects'),
    (_, { status }) => status === 403,
    withStatusOf(403),
  ),
  onceSeen(
    'after a 422 the next creation is an error',
    is('createProject'),
    (_, { status }) => status === 422,
    withStatusOf(500),
  ),
  onceSeen(
    'after five requests without session the next read is locked out',
    is('listProjects'),
    (_, { status }) => status === 401,
    withStatusOf(403),
    5,
  ),
  onceSeen(
    'after a malformed body the next sign-up fails',
    is('joinWaitlist'),
    (_, { status }) => status === 400,
    withStatusOf(500),
  ),
  onceSeen(
    'after a HEAD the next GET has no body',
    is('listProjects'),
    ({ method }) => method === 'HEAD',
    async (request, send) => ({ ...(await send(request)), text: '' }),
  ),
  onceSeen(
    'after an update of a member the bundle of the owner is old',
    is('getSession'),
    (request, { status }) => is('updateProject')(request) && status === 200 && 'name' in fieldsOf(request),
    async (request, send) => {
      const response = await send(request)
      const json = Object(jsonOf(response))
      return Array.isArray(json.projects)
        ? withJson(response, {
            ...json,
            projects: json.projects.map((each: { name: string }) => ({
              ...each,
              name: `${each.name} (old)`,
            })),
          })
        : response
    },
  ),
  stateful('the second update with the same values is 304', is('updateProject'), () => {
    const seen = new Set<string>()
    return async (request, send) => {
      const key = `${request.path} ${raw(request)}`
      const response = await send(request)
      if (!is('updateProject')(request) || response.status !== 200) return response
      if (seen.has(key)) return { ...response, status: 304, text: '' }
      seen.add(key)
      return response
    }
  }),
  stateful('a name that was refused once can be taken', is('createProject'), () => {
    const refused = new Set<unknown>()
    return async (request, send) => {
      const response = await send(request)
      const { name } = fieldsOf(request)
      if (!is('createProject')(request) || response.status !== 409) return response
      if (refused.has(name)) return send(withRequestJson(request, { name: `${name}\u2063` }))
      refused.add(name)
      return response
    }
  }),
  stateful('known addresses have a header', is('joinWaitlist'), () => {
    const known = new Set<string>()
    return async (request, send) => {
      const response = await send(request)
      const email = String(fieldsOf(request).email).trim().toLowerCase()
      if (!is('joinWaitlist')(request) || response.status !== 200) return response
      const isKnown = known.has(email)
      known.add(email)
      return isKnown ? { ...response, headers: { ...response.headers, 'x-known': '1' } } : response
    }
  }),
  stateful(
    'a caller sees only projects that the caller created or that were there',
    is('listProjects'),
    () => {
      const creators = new Map<string, string | undefined>()
      return async (request, send) => {
        const response = await send(request)
        if (response.status === 201) creators.set(Object(jsonOf(response)).project.id, cookieOf(request))
        if (!is('listProjects')(request) || response.status !== 200) return response
        return withJson(response, {
          projects: Object(jsonOf(response)).projects.filter(
            ({ id }: { id: string }) => !creators.has(id) || creators.get(id) === cookieOf(request),
          ),
        })
      }
    },
  ),
  stateful('only the creator of a project may update it', is('updateProject'), () => {
    const creators = new Map<string, string | undefined>()
    return async (request, send) => {
      const creator = [...creators].find(([id]) => pathOf(request).endsWith(id))
      if (is('updateProject')(request) && creator && creator[1] !== cookieOf(request))
        return send({ ...request, path: '/v1/projects/unknown' })
      const response = await send(request)
      if (response.status === 201) creators.set(Object(jsonOf(response)).project.id, cookieOf(request))
      return response
    }
  }),
  stateful('an archived project cannot be updated', is('updateProject'), () => async (request, send) => {
    if (!is('updateProject')(request)) return send(request)
    const project = (await projectsFor(request, send)).find(({ id }) => pathOf(request).endsWith(id))
    const response = await send(request)
    return project?.status === 'archived' && response.status === 200 ? { ...response, status: 409 } : response
  }),
  stateful('a description cannot be changed twice', is('updateProject'), () => {
    const described = new Set<string>()
    return async (request, send) => {
      if (!is('updateProject')(request) || typeof fieldsOf(request).description !== 'string')
        return send(request)
      if (!described.has(request.path)) {
        described.add(request.path)
        return send(request)
      }
      const { description: _, ...others } = fieldsOf(request)
      return send(withRequestJson(request, others))
    }
  }),
  stateful('the name of an archived project is free', is('createProject'), () => async (request, send) => {
    const response = await send(request)
    if (!is('createProject')(request) || response.status !== 409) return response
    const same = (await projectsFor(request, send)).find(
      ({ name }) => name.toLowerCase() === String(fieldsOf(request).name).toLowerCase(),
    )
    return same?.status === 'archived'
      ? send(withRequestJson(request, { ...fieldsOf(request), name: `${fieldsOf(request).name}\u2063` }))
      : response
  }),
  stateful('a project keeps the name of its creation for the check', is('createProject'), () => {
    const created = new Set<string>()
    return async (request, send) => {
      const { name } = fieldsOf(request)
      if (is('createProject')(request) && created.has(String(name).toLowerCase()))
        return nameTaken(request, send)
      const response = await send(request)
      if (response.status === 201) created.add(String(name).toLowerCase())
      return response
    }
  }),
]

function withStatusOf(status: number) {
  return async (request: ProxyRequest, send: Send): Promise<ProxyResponse> => ({
    ...(await send(request)),
    status,
  })
}

const shifted = (ms: number) =>
  onProject((project) => ({
    ...project,
    createdAt: new Date(Date.parse(project.createdAt) + ms).toISOString(),
  }))
/** Shifts the times of new projects in every response. */
const consistently =
  (change: (createdAt: string) => string): Misbehaviour['behave'] =>
  () => {
    const fresh = new Set<string>()
    return async (request, send) => {
      const response = await send(request)
      const json = Object(jsonOf(response))
      if (response.status === 201) fresh.add(json.project?.id)
      const edit = (project: { id: string; createdAt: string }) =>
        fresh.has(project.id) && project.createdAt
          ? { ...project, createdAt: change(project.createdAt) }
          : project
      if (json.project) return withJson(response, { project: edit(json.project) })
      return is('listProjects')(request) && Array.isArray(json.projects)
        ? withJson(response, { projects: json.projects.map(edit) })
        : response
    }
  }

const timeMutants: Misbehaviour[] = [
  mutant('a creation answers with a time an hour ahead', is('createProject'), shifted(3_600_000)),
  ...(
    [
      ['an hour ahead', (at: string) => new Date(Date.parse(at) + 3_600_000).toISOString()],
      ['an hour behind', (at: string) => new Date(Date.parse(at) - 3_600_000).toISOString()],
      ['ten minutes ahead', (at: string) => new Date(Date.parse(at) + 600_000).toISOString()],
      ['cut to seconds', (at: string) => at.replace(/\.\d{3}Z$/, '.000Z')],
      ['of midnight', (at: string) => `${at.slice(0, 10)}T00:00:00.000Z`],
      ['of 1970', () => '1970-01-01T00:00:00.000Z'],
      ['with microseconds', (at: string) => at.replace('Z', '000Z')],
      ['with an offset', (at: string) => at.replace('Z', '+00:00')],
    ] as const
  ).map(([what, change]) =>
    stateful(`times of new projects are ${what}`, is('createProject'), consistently(change)),
  ),
  mutant(
    'an update changes createdAt',
    both(is('updateProject'), (request) => Object.keys(fieldsOf(request)).length > 0),
    shifted(1000),
  ),
  mutant(
    'an update changes the id',
    both(is('updateProject'), (request) => 'status' in fieldsOf(request)),
    onProject((project) => ({ ...project, id: project.id.replace(/.$/, 'f') })),
  ),
  mutant(
    'ids of new projects have no time',
    is('createProject'),
    onProject((project) => ({ ...project, id: `00000000-0000-7${project.id.slice(15)}` })),
  ),
]

const responseMutants: Misbehaviour[] = [
  ...['x-content-type-options', 'content-security-policy', 'cross-origin-resource-policy'].flatMap((name) => [
    ...allOperations.map((operation) =>
      mutant(`${operation} has no ${name}`, is(operation), withHeader(name)),
    ),
    mutant(`404 has no ${name}`, (request) => pathOf(request) === '/v1/nothing', withHeader(name)),
  ]),
  ...allOperations.map((operation) =>
    mutant(
      `errors of ${operation} have the session in docsUrl`,
      (request) => is(operation)(request) && sessionOf(request) !== undefined,
      async (request, send) => {
        const response = await send(request)
        const json = Object(jsonOf(response))
        return json.docsUrl
          ? withJson(response, { ...json, docsUrl: `${json.docsUrl}?session=${sessionOf(request)}` })
          : response
      },
      operation === 'getSession' || operation === 'joinWaitlist'
        ? { notCaught: 'Its errors for callers with a session have no docsUrl.' }
        : {},
    ),
  ),
  mutant(
    'docsUrl has a query',
    (request) => pathOf(request).startsWith('/v1/'),
    async (request, send) => {
      const response = await send(request)
      const json = Object(jsonOf(response))
      return json.docsUrl
        ? withJson(response, { ...json, docsUrl: `${json.docsUrl}?from=${request.method}` })
        : response
    },
  ),
  mutant(
    'messages of errors have the session',
    (request) => sessionOf(request) !== undefined,
    async (request, send) => {
      const response = await send(request)
      const json = Object(jsonOf(response))
      return response.status >= 400 && json.error && json.error !== 'email_required'
        ? withJson(response, { ...json, error: `${json.error} (${sessionOf(request)})` })
        : response
    },
  ),
  mutant(
    'a header has the session',
    (request) => sessionOf(request) !== undefined && pathOf(request).startsWith('/v1/'),
    async (request, send) => {
      const response = await send(request)
      return { ...response, headers: { ...response.headers, 'x-session': sessionOf(request) ?? '' } }
    },
  ),
  mutant(
    '401 has WWW-Authenticate',
    (request) => pathOf(request).startsWith('/v1/'),
    async (request, send) => {
      const response = await send(request)
      return response.status === 401
        ? { ...response, headers: { ...response.headers, 'www-authenticate': 'Basic' } }
        : response
    },
  ),
  ...reads.map((operation) =>
    mutant(
      `${operation} sets the session cookie again`,
      is(operation),
      withHeader('set-cookie', 'session=other; Path=/'),
    ),
  ),
  ...[100, 128, 200].flatMap((length) =>
    reads.map((operation) =>
      mutant(
        `${operation} has at most ${length} projects`,
        is(operation),
        onProjects((projects) => projects.slice(0, length)),
      ),
    ),
  ),
  mutant('the list has an ETag', is('listProjects'), withHeader('etag', '"1"'), {
    notCaught: 'The interface forbids no header that tells nothing.',
  }),
  mutant(
    'bundles have more in the user',
    is('getSession'),
    editing((json) => ({ ...json, user: { ...Object(json.user), phone: '1' } })),
  ),
  mutant('409 of a creation has details', is('createProject'), async (request, send) => {
    const response = await send(request)
    return response.status === 409
      ? withJson(response, { ...Object(jsonOf(response)), details: null })
      : response
  }),
]

/** What an owner would be answered where an earlier check fails. */
const orderMutants: Misbehaviour[] = changes.flatMap((operation) =>
  (
    [
      ['media type', (request: ProxyRequest) => typeOf(request) === 'text/plain', 415],
      ['size', (request: ProxyRequest) => (request.body?.length ?? 0) > 65_536, 413],
      ['JSON', (request: ProxyRequest) => request.body !== undefined && jsonOf(request) === undefined, 422],
      [
        'fields',
        (request: ProxyRequest) =>
          Object.values(fieldsOf(request)).some((value) => typeof value !== 'string'),
        422,
      ],
    ] as const
  ).flatMap(([check, applies, status]) =>
    ([401, 400, 403] as const).map((earlier) =>
      stateful(
        `${operation}: the ${check} is checked before what is ${earlier}`,
        both(is(operation), applies),
        (context) => async (request, send) => {
          const response = await send(request)
          if (!is(operation)(request) || !applies(request) || response.status !== earlier) return response
          const asOwner = await send({
            ...request,
            headers: [
              ...request.headers.filter(([name]) => name.toLowerCase() !== 'cookie'),
              ['cookie', context.cookieOf('acme-owner')],
            ],
          })
          return asOwner.status === status ? asOwner : response
        },
      ),
    ),
  ),
)

const misc: Misbehaviour[] = [
  mutant(
    'a text body is read as JSON',
    (request) => typeOf(request) === 'text/plain',
    (request, send) => send(withType(request, 'application/json')),
  ),
  mutant(
    'a creation without a body has a default name',
    (request) => is('createProject')(request) && !request.body?.length,
    (request, send) => send(withType(withText(request, '{"name":"Untitled"}'), 'application/json')),
  ),
  mutant(
    'an update with a GET body works',
    (request) => request.method === 'GET' && request.body !== undefined,
    withStatus(400),
  ),
  mutant(
    'a description of null clears it',
    (request) => is('updateProject')(request) && fieldsOf(request).description === null,
    (request, send) => send(withRequestJson(request, { ...fieldsOf(request), description: '' })),
  ),
  mutant(
    'the description of a new project is its name',
    (request) => is('createProject')(request) && !('description' in fieldsOf(request)),
    onProject((project) => ({ ...project, description: project.name })),
  ),
  mutant(
    'a sign-up reads the address from the query',
    (request) =>
      is('joinWaitlist')(request) && new URL(request.path, 'http://service').searchParams.has('email'),
    (request, send) =>
      send(withRequestJson(withType(request, 'application/json'), { email: 'a@example.com' })),
  ),
  mutant(
    'reads of a caller without team are 403',
    (request, { cookieOf: of }) => is('getSession')(request) && cookieOf(request) === of('no-team'),
    withStatus(403),
  ),
  mutant(
    'a read after a write goes to an old replica',
    is('listProjects'),
    async (request, send) => {
      const response = await send(get(request))
      return { ...response, headers: { ...response.headers, age: '1' } }
    },
    { notCaught: 'A proxy before the service may add such headers.' },
  ),
]

export const bodyAndTimeMutants: Misbehaviour[] = [
  ...bodyMutants,
  ...concurrencyMutants,
  ...stateMutants,
  ...timeMutants,
  ...responseMutants,
  ...orderMutants,
  ...misc,
]
