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
  invalidName,
  listPath,
  type Misbehaviour,
  nameTaken,
  type Project,
  projectsFor,
  text,
  typeOf,
  withCookie,
  withText,
  withType,
} from '../misbehaviours/misbehaviour.js'
import {
  both,
  countRunning,
  type Effect,
  editing,
  field,
  header,
  is,
  isChange,
  isRead,
  mutant,
  onProject,
  onProjects,
  pathOf,
  query,
  sends,
  stateful,
  type When,
  withHeader,
  withStatus,
} from './request-mutant.js'

// Faults that a stranger has listed who wanted to be given the certificate: of languages, databases and frameworks.

const isWrite: When = (request, context) => isChange(request, context) || is('joinWaitlist')(request)
const isError = ({ status }: ProxyResponse) => status >= 400
const texts = (request: ProxyRequest) =>
  Object.values(fieldsOf(request)).filter((value) => typeof value === 'string')
const body =
  (pattern: RegExp): When =>
  (request) =>
    pattern.test(text(request.body))
const projectOf = (response: ProxyResponse) => (Object(jsonOf(response)) as { project?: Project }).project
const refused: Effect = (request, send) => invalidName({ ...request, chunked: false }, send)
const noAddress: Effect = (request, send) => send(withRequestJson(request, { email: '' }))
const anAddress: Effect = (request, send) => send(withRequestJson(request, { email: 'ada@example.com' }))
const emails = (pattern: RegExp): When =>
  both(is('joinWaitlist'), (request) => pattern.test(field(request, 'email')))
const idOf = (request: ProxyRequest) => pathOf(request).split('/').at(-1) ?? ''
const asJson: Effect = (request, send) => send(withType(request, 'application/json'))
const error = (status: number, code: string) => async (request: ProxyRequest, send: Send) => {
  const response = await send({ ...get(request, '/v1/nothing'), method: 'GET' })
  return withJson({ ...response, status }, { ...Object(jsonOf(response)), code })
}

/** Changes the texts of a body before they are stored. */
const storing = (what: string, change: (text: string) => string, when: When = () => true) =>
  mutant(
    what,
    both(isChange, when, (request) => texts(request).some((value) => change(value) !== value)),
    (request, send) =>
      send(
        withRequestJson(
          request,
          Object.fromEntries(
            Object.entries(fieldsOf(request)).map(([key, value]) => [
              key,
              typeof value === 'string' ? change(value) || value : value,
            ]),
          ),
        ),
      ),
  )
/** A byte of a body that is not of one character alone, where two chunks meet. */
const splits = (at: number): When => both(isChange, (request) => ((request.body?.[at] ?? 0) & 0xc0) === 0x80)

const ofBodies: Misbehaviour[] = [
  ...[16_384, 32_768].map((at) =>
    mutant(`a character that lies in two chunks of ${at} bytes is replaced`, splits(at), (request, send) => {
      const parts = [request.body?.slice(0, at), request.body?.slice(at)]
      return send(withText(request, parts.map((part) => new TextDecoder().decode(part)).join('')))
    }),
  ),
  mutant(
    'a media type that mentions JSON is JSON',
    both(isWrite, (request) => /^(?!application\/json).*application\/json/.test(typeOf(request) ?? '')),
    asJson,
  ),
  mutant(
    'JSON with a parameter that is no charset is 415',
    both(isWrite, (request) => /^application\/json *;(?! *charset)/i.test(typeOf(request) ?? '')),
    withStatus(415),
  ),
  mutant(
    'an empty Content-Type is JSON',
    both(isChange, (request) => typeOf(request) === ''),
    asJson,
  ),
  mutant('Expect is 417', both(isChange, sends('expect')), withStatus(417)),
  mutant('a Content-Encoding is 415', both(isChange, sends('content-encoding')), withStatus(415)),
  mutant('a wrong Content-MD5 is refused', both(isChange, sends('content-md5')), withStatus(400)),
  mutant('a wrong Digest is refused', both(isChange, sends('digest')), withStatus(400)),
  mutant(
    'Content-Location names what is created',
    both(isChange, sends('content-location')),
    withStatus(404),
  ),
  mutant(
    'bytes beyond U+10FFFF are replaced',
    both(
      isChange,
      (request) => request.body?.includes(0xf4) ?? false,
      (request) => {
        const at = request.body?.indexOf(0xf4) ?? 0
        return (request.body?.[at + 1] ?? 0) > 0x8f
      },
    ),
    (request, send) => send(withText(request, text(request.body))),
  ),
  mutant('a sign-up of null is an error', both(is('joinWaitlist'), body(/^null$/)), withStatus(500)),
  mutant('a sign-up in a list is unwrapped', both(is('joinWaitlist'), body(/^\[\{/)), withStatus(422)),
  mutant(
    'an address in a list joins the waitlist',
    both(
      is('joinWaitlist'),
      (request) =>
        /^[^@]+@[^@]+$/.test(String(fieldsOf(request).email)) && Array.isArray(fieldsOf(request).email),
    ),
    anAddress,
  ),
  mutant(
    'U+0000 at the end of a text is cut',
    both(isChange, (request) => texts(request).some((value) => /[^\0]\0$/.test(String(value)))),
    (request, send) => send(withText(request, text(request.body).replace(/\\u0000"/g, '"'))),
  ),
  mutant('U+0000 in an address is removed', emails(/\0.*@|@.*\0/), (request, send) =>
    send(withRequestJson(request, { email: field(request, 'email').replaceAll('\0', '') })),
  ),
  mutant('lone surrogates in an address are accepted', emails(/^(?=.*@)\P{Cs}*\p{Cs}/u), anAddress),
  mutant(
    'a creation without a length of its body is an error',
    both(is('createProject'), (request) => request.body === undefined),
    withStatus(411),
  ),
]

const ofTexts: Misbehaviour[] = [
  storing('texts lose marks of direction', (value) => value.replace(/[\u200e\u200f\u061c]/g, '')),
  storing('texts lose tags', (value) => value.replace(/[\u{e0000}-\u{e007f}]/gu, '')),
  storing('texts lose selectors of variation', (value) => value.replace(/\ufe0f/g, '')),
  storing('texts lose fillers of Hangul', (value) => value.replace(/[\u115f\u3164]/g, '')),
  storing('texts lose the grapheme joiner', (value) => value.replace(/\u034f/g, '')),
  storing('texts lose anchors of annotations', (value) => value.replace(/[\ufff9-\ufffb]/g, '')),
  storing('texts lose noncharacters of other planes', (value) => value.replace(/\u{1fffe}/gu, '')),
  storing('texts have a form feed as a line break', (value) => value.replaceAll('\f', '\n')),
  storing('texts lose a backslash at their end', (value) => value.replace(/\\$/, '')),
  storing('texts that are times get milliseconds', (value) =>
    value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)Z$/, '$1.000Z'),
  ),
  storing('texts that are dates become times', (value) =>
    value.replace(/^(\d{4}-\d\d-\d\d)$/, '$1T00:00:00.000Z'),
  ),
  storing('texts lose what is behind the last comma', (value) => value.replace(/,$/, '')),
  storing('known statuses are in small letters', (value) =>
    /^(active|paused|completed|archived)$/i.test(value) ? value.toLowerCase() : value,
  ),
  ...['name', 'status'].map((name) =>
    mutant(
      `a ${name} of one character is refused`,
      both(isChange, (request) => field(request, name).length === 1),
      refused,
    ),
  ),
  mutant(
    'texts of more than 60,000 bytes are refused though their characters are few',
    both(isChange, (request) =>
      texts(request).some(
        (value) => String(value).length < 30_000 && new TextEncoder().encode(String(value)).length > 50_000,
      ),
    ),
    refused,
  ),
  mutant(
    'names in bundles are escaped for HTML',
    is('getSession'),
    editing((json) => ({
      ...json,
      projects: (json.projects as Project[]).map((each) => ({
        ...each,
        name: each.name.replaceAll('"', '&quot;'),
      })),
    })),
  ),
  mutant(
    'the list has empty descriptions as null',
    is('listProjects'),
    onProjects((projects) => projects.map((each) => ({ ...each, description: each.description || null }))),
  ),
]

/** A server that compares names by another key, too strictly: it takes names for different that are the same. */
const separates = (what: string, letters: RegExp, min = 0) =>
  stateful(what, isChange, () => {
    return async (request, send) => {
      const response = await send(request)
      const name = field(request, 'name')
      if (response.status !== 409 || name.length < min || !is('createProject')(request)) return response
      const isSame = (await projectsFor(request, send)).some(
        (project) =>
          project.name.normalize() === name.normalize() || (!letters.test(project.name + name) && min === 0),
      )
      return isSame
        ? response
        : send(withRequestJson(request, { ...fieldsOf(request), name: `${name}\u2063` }))
    }
  })
/** A server that takes names for the same that are different. */
const equates = (what: string, keyOf: (name: string) => string) =>
  stateful(what, isChange, () => async (request, send) => {
    const name = field(request, 'name')
    if (!isChange(request, undefined as never) || name === '') return send(request)
    const others = (await projectsFor(request, send)).filter(({ id }) => id !== idOf(request))
    const response = await send(request)
    if (isError(response)) return response
    const isTaken = others.some((other) => other.name !== name && keyOf(other.name) === keyOf(name))
    return isTaken ? nameTaken(request, send) : response
  })

const ofNames: Misbehaviour[] = [
  separates('Armenian letters are compared with case', /[\u0531-\u058f]/),
  separates('letters of Latin Extended-A are compared with case', /[ŁłĐđ]/),
  separates('letters of Vietnamese are compared with case', /[Ởở]/),
  separates('Coptic letters are compared with case', /[\u2c80-\u2cff]/),
  separates('Glagolitic letters are compared with case', /[\u2c00-\u2c5f]/),
  separates('letters of Adlam are compared with case', /[\u{1e900}-\u{1e95f}]/u),
  separates('letters of full width are compared with case', /[\uff21-\uff5a]/),
  separates('letters of Old Cyrillic are compared with case', /[\ua640-\ua69f]/),
  separates('long names are compared with case', /^$/, 1000),
  equates('all emoji are one', (name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
  equates('Hiragana and Katakana are one', (name) =>
    name.replace(/[\u30a1-\u30f6]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0x60)),
  ),
  equates('the dotted I is an i', (name) => name.replaceAll('İ', 'i').toLowerCase()),
  equates('ligatures are two letters', (name) => name.replaceAll('Æ', 'AE')),
  equates('letters with a stroke are without', (name) => name.replaceAll('ø', 'o')),
  equates('selectors of variation are ignored', (name) => name.replaceAll('\ufe0f', '')),
  equates('soft hyphens are ignored', (name) => name.replaceAll('\u00ad', '')),
  equates('punctuation is ignored', (name) => name.replace(/[._!-]/g, '').toLowerCase()),
  stateful('a name that another project had is taken for renames', is('updateProject'), () => {
    const had = new Map<string, string>()
    return async (request, send) => {
      const name = field(request, 'name')
      if (is('updateProject')(request) && name && had.has(name) && had.get(name) !== idOf(request))
        return nameTaken(request, send)
      const before = is('updateProject')(request) && name ? await projectsFor(request, send) : []
      const response = await send(request)
      const old = before.find(({ id }) => id === idOf(request))
      if (old && response.status === 200) had.set(old.name, old.id)
      return response
    }
  }),
  stateful('a rename to the name of another team is refused', isChange, () => {
    const names = new Map<string, string>()
    return async (request, send) => {
      const name = field(request, 'name')
      const other = names.get(name)
      if (is('updateProject')(request) && other !== undefined && name) {
        const own = await projectsFor(request, send)
        if (own.length > 0 && !own.some((each) => (each as unknown as { teamId: string }).teamId === other))
          return nameTaken(request, send)
      }
      const response = await send(request)
      const project = projectOf(response) as unknown as { name: string; teamId: string } | undefined
      if (project && response.status === 201) names.set(project.name, project.teamId)
      return response
    }
  }),
]

const moves = (what: string, isRefused: (from: string, to: string) => boolean) =>
  stateful(what, both(is('updateProject'), body(/"status"/)), () => async (request, send) => {
    const to = field(request, 'status')
    if (!is('updateProject')(request) || to === '') return send(request)
    const own = (await projectsFor(request, send)).find(({ id }) => id === idOf(request))
    return own && isRefused(own.status, to) ? refused(request, send, undefined as never) : send(request)
  })
/** A server that changes another field with an update. */
const touching = (what: string, when: (fields: Record<string, unknown>) => boolean, more: object) =>
  stateful(what, is('updateProject'), () => async (request, send) => {
    if (!is('updateProject')(request) || !when(fieldsOf(request))) return send(request)
    return send(withRequestJson(request, { ...more, ...fieldsOf(request) }))
  })

const ofUpdates: Misbehaviour[] = [
  moves('a completed project cannot be active again', (from, to) => from === 'completed' && to === 'active'),
  moves('a completed project cannot be paused', (from, to) => from === 'completed' && to === 'paused'),
  moves('an archived project cannot be paused', (from, to) => from === 'archived' && to === 'paused'),
  moves('an archived project cannot be active again', (from, to) => from === 'archived' && to === 'active'),
  moves('a paused project cannot be archived', (from, to) => from === 'paused' && to === 'archived'),
  moves('a paused project cannot be active again', (from, to) => from === 'paused' && to === 'active'),
  moves('an active project cannot be completed', (from, to) => from === 'active' && to === 'completed'),
  moves('an active project cannot be archived', (from, to) => from === 'active' && to === 'archived'),
  touching(
    'an update of the name alone clears the description',
    (fields) => Object.keys(fields).join() === 'name',
    {
      description: '',
    },
  ),
  touching(
    'an update of the name alone makes a project active',
    (fields) => Object.keys(fields).join() === 'name',
    {
      status: 'active',
    },
  ),
  touching('what is archived loses its description', ({ status }) => status === 'archived', {
    description: '',
  }),
  touching(
    'an update of the description alone makes a project active',
    (fields) => Object.keys(fields).join() === 'description',
    {
      status: 'active',
    },
  ),
  stateful('an update with a body that was sent before is not stored', is('updateProject'), () => {
    const seen = new Set<string>()
    return async (request, send) => {
      const key = `${request.path} ${text(request.body)}`
      if (!is('updateProject')(request) || !seen.has(key)) {
        const response = await send(request)
        if (response.status === 200) seen.add(key)
        return response
      }
      const old = await send(withRequestJson(request, {}))
      return old.status === 200
        ? withJson(old, { project: { ...projectOf(old), ...fieldsOf(request) } })
        : send(request)
    }
  }),
  stateful('an updated project has updatedAt in the list', isRead, () => {
    const updated = new Set<string>()
    return async (request, send) => {
      const response = await send(request)
      if (is('updateProject')(request) && response.status === 200) updated.add(idOf(request))
      return is('listProjects')(request)
        ? onProjects((projects) =>
            projects.map((each) => (updated.has(each.id) ? { ...each, updatedAt: each.createdAt } : each)),
          )(request, async () => response, undefined as never)
        : response
    }
  }),
  stateful('of updates of two projects at a time one is not stored', is('updateProject'), () => {
    const updates = countRunning(is('updateProject'))
    return async (request, send) => {
      if (!is('updateProject')(request) || !updates.isRunning()) return updates.send(request, send)
      const old = await send(withRequestJson(request, {}))
      return old.status === 200
        ? withJson(old, { project: { ...projectOf(old), ...fieldsOf(request) } })
        : updates.send(request, send)
    }
  }),
]

const ofState: Misbehaviour[] = [
  stateful('a request without a cookie has the session of the one before', isRead, () => {
    let last: string | undefined
    return async (request, send) => {
      const cookie = cookieOf(request)
      const before = last
      last = cookie
      return cookie === undefined && before !== undefined && isRead(request, undefined as never)
        ? send(withCookie(request, before))
        : send(request)
    }
  }),
  stateful('permissions are remembered by user', isChange, ({ cookieOf: of, data }) => {
    const first = new Map<string, string>()
    const callers = ['acme-member', 'acme-creator', 'acme-updater', 'acme-near-miss'] as const
    return async (request, send) => {
      const caller = callers.find((persona) => of(persona) === cookieOf(request))
      if (!caller || !isChange(request, undefined as never)) return send(request)
      const user = data.bundle(caller).user.id
      const cookie = first.get(user) ?? of(caller)
      first.set(user, cookie)
      return send(withCookie(request, cookie))
    }
  }),
  stateful('an empty body is that of the request before', isChange, () => {
    let last: Uint8Array | undefined
    return async (request, send) => {
      if (!isChange(request, undefined as never)) return send(request)
      const before = last
      last = request.body?.length ? request.body : last
      return !request.body?.length && before
        ? send(withType({ ...request, body: before, chunked: false }, 'application/json'))
        : send(request)
    }
  }),
  stateful('a new project has the status of the last update', is('createProject'), () => {
    let status = 'active'
    return async (request, send) => {
      const response = await send(request)
      if (is('updateProject')(request) && response.status === 200)
        status = projectOf(response)?.status ?? status
      return is('createProject')(request)
        ? onProject((project) => ({ ...project, status }))(request, async () => response, undefined as never)
        : response
    }
  }),
  stateful('a new project has the description of the one before', is('createProject'), () => {
    let description: string | null = null
    return async (request, send) => {
      const response = await send(request)
      if (!is('createProject')(request) || response.status !== 201) return response
      const before = description
      description = projectOf(response)?.description ?? null
      return field(request, 'description') || before === null
        ? response
        : withJson(response, { project: { ...projectOf(response), description: before } })
    }
  }),
  stateful('a creation that is sent again is answered again', is('createProject'), () => {
    const first = new Map<string, ProxyResponse>()
    return async (request, send) => {
      const key = `${cookieOf(request)} ${text(request.body)}`
      const response = await send(request)
      if (!is('createProject')(request)) return response
      if (response.status === 201) first.set(key, response)
      return response.status === 409 ? (first.get(key) ?? response) : response
    }
  }),
  stateful('a list with a query is remembered', is('listProjects'), () => {
    const kept = new Map<string, ProxyResponse>()
    return async (request, send) => {
      if (!is('listProjects')(request) || request.method !== 'GET' || !request.path.includes('?'))
        return send(request)
      const key = `${request.path} ${cookieOf(request)}`
      const response = kept.get(key) ?? (await send(request))
      kept.set(key, response)
      return response
    }
  }),
  stateful('three lists of a session at a time are too many', is('listProjects'), () => {
    const running = new Map<string, number>()
    return async (request, send) => {
      if (!is('listProjects')(request)) return send(request)
      const key = cookieOf(request) ?? ''
      running.set(key, (running.get(key) ?? 0) + 1)
      try {
        const response = await send(request)
        return (running.get(key) ?? 0) > 2 ? { ...response, status: 503 } : response
      } finally {
        running.set(key, (running.get(key) ?? 0) - 1)
      }
    }
  }),
  stateful('a project that is new can be updated by any team', isChange, ({ cookieOf: of }) => {
    const fresh = new Map<string, string>()
    return async (request, send) => {
      const creator = is('updateProject')(request) ? fresh.get(idOf(request)) : undefined
      const isOther = creator === of('globex-owner') && cookieOf(request) === of('acme-owner')
      const response = await send(isOther ? withCookie(request, of('globex-owner')) : request)
      if (response.status === 201) fresh.set(projectOf(response)?.id ?? '', cookieOf(request) ?? '')
      return response
    }
  }),
  stateful('projects of equal times are in the order of their creation', is('listProjects'), () => {
    return async (request, send) =>
      is('listProjects')(request)
        ? onProjects((projects) =>
            [...projects].sort((a, b) =>
              a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1,
            ),
          )(request, send, undefined as never)
        : send(request)
  }),
  mutant(
    'zeros at the end of a time are left out',
    is('createProject'),
    onProject((project) => ({ ...project, createdAt: project.createdAt.replace(/\.?0+Z$/, 'Z') })),
  ),
  mutant(
    'times in the list are of a zone',
    is('listProjects'),
    onProjects((projects) =>
      projects.map((each) => ({ ...each, createdAt: each.createdAt.replace('Z', '+00:00') })),
    ),
  ),
]

const ofRequests: Misbehaviour[] = [
  mutant(
    'a slash in the query is a part of the path',
    both(isRead, ({ path }) => /\?.*\//.test(path)),
    withStatus(404),
  ),
  mutant(
    'a slash in the query ends the id of an update',
    both(is('updateProject'), ({ path }) => /\?.*\//.test(path)),
    (request, send) => send({ ...request, path: `${listPath}/${request.path.split('/').at(-1)}` }),
  ),
  mutant(
    'a second question mark is an error',
    both(isRead, ({ path }) => /\?.*\?/.test(path)),
    withStatus(400),
  ),
  mutant(
    'the parameter team-id chooses the team',
    both(isRead, (request, { data }) => query(request).get('team-id') === data.bundle('globex-owner').teamId),
    (request, send, { cookieOf: of }) => send(withCookie(request, of('globex-owner'))),
  ),
  mutant(
    'an id of more than 2,048 characters is too long',
    both(is('updateProject'), (request) => idOf(request).length > 2048),
    withStatus(414),
  ),
  ...['%23', '%3F'].map((sign) =>
    mutant(
      `${decodeURIComponent(sign)} in an id ends it`,
      both(is('updateProject'), ({ path }) => path.includes(sign)),
      (request, send) => send({ ...request, path: request.path.replace(new RegExp(`${sign}.*`), '') }),
    ),
  ),
  mutant(
    'a header Authorization of another scheme is 401',
    both(isRead, sends('authorization', /^Basic/)),
    withStatus(401),
  ),
  mutant(
    'names of cookies are percent-decoded',
    (request) => /%73ession=/.test(cookieOf(request) ?? ''),
    (request, send) =>
      send(withCookie(request, decodeURIComponent(cookieOf(request)?.match(/%73ession=[^;]*/)?.[0] ?? ''))),
  ),
  mutant(
    'cookies may be divided by commas',
    (request) => /, ?session=/.test(cookieOf(request) ?? ''),
    (request, send) => send(withCookie(request, cookieOf(request)?.match(/session=.*/)?.[0] ?? '')),
  ),
  mutant(
    'a Cookie header of more than 4,096 bytes is ignored',
    (request) => (cookieOf(request) ?? '').length > 4096,
    (request, send) => send(withCookie(request, 'x=y')),
  ),
  mutant(
    'a change of the same site without Origin is run',
    both(
      isWrite,
      sends('sec-fetch-site', /^same-site$/),
      (request) => header(request, 'origin') === undefined,
    ),
    (request, send) =>
      send({ ...request, headers: request.headers.filter(([name]) => !/^sec-fetch/i.test(name)) }),
  ),
  ...(
    [
      ['the session', (request: ProxyRequest) => cookieOf(request) === undefined, 401, 'AUTH_REQUIRED'],
      [
        'the media type',
        (request: ProxyRequest) => !/json/.test(typeOf(request) ?? 'json'),
        415,
        'VALIDATION_FAILED',
      ],
      [
        'the permission',
        (request: ProxyRequest) => jsonOf(request) === undefined && cookieOf(request) !== undefined,
        403,
        'INSUFFICIENT_PERMISSIONS',
      ],
    ] as const
  ).map(([what, when, status, code]) =>
    mutant(
      `${what} is checked before the site of a page`,
      both(isChange, when, sends('sec-fetch-site', /cross-site/)),
      error(status, code),
    ),
  ),
  ...[is('createProject'), is('updateProject')].map((isOne, i) =>
    mutant(
      `a page of another site may ${i ? 'update' : 'create'} with a session and JSON`,
      both(
        isOne,
        sends('origin', /evil/),
        (request) => cookieOf(request) !== undefined && jsonOf(request) !== undefined,
      ),
      (request, send) =>
        send({
          ...request,
          headers: request.headers.filter(([name]) => !/^(origin|sec-fetch.*|referer)$/i.test(name)),
        }),
    ),
  ),
  {
    ...mutant('a page of another port may write', both(isChange, sends('origin', /:9$/)), (request, send) =>
      send({
        ...request,
        headers: request.headers.filter(([name]) => !/^(origin|sec-fetch.*)$/i.test(name)),
      }),
    ),
    mode: 'production',
  },
  ...['/%09/evil.example', '///evil.example', '/.//evil.example', 'https:evil.example'].map((target) =>
    mutant(
      `a sign-out leads to ${target}`,
      ({ method, path }) => method === 'POST' && path === `/auth/sign-out?returnTo=${target}`,
      withHeader('location', decodeURIComponent(target)),
    ),
  ),
]

const ofWaitlist: Misbehaviour[] = [
  mutant(
    'the length of an address is that of its bytes',
    both(is('joinWaitlist'), (request) => {
      const email = field(request, 'email').trim()
      return email.length < 255 && new TextEncoder().encode(email).length > 254
    }),
    noAddress,
  ),
  mutant('a quoted at sign is accepted', emails(/^"[^"]*@[^"]*"@/), anAddress),
  mutant('brackets in an address are refused', emails(/[[\]]/), noAddress),
  mutant('parentheses in an address are refused', emails(/[()]/), noAddress),
  mutant('commas and semicolons in an address are refused', emails(/^[^@\s]*[,;][^@\s]*@[^@]*$/), noAddress),
  mutant('a backslash in an address is refused', emails(/\\/), noAddress),
]

const ofErrors: Misbehaviour[] = [
  mutant('messages of errors are blank', isChange, async (request, send) => {
    const response = await send(request)
    return isError(response) ? withJson(response, { ...Object(jsonOf(response)), error: ' ' }) : response
  }),
  mutant('docsUrl is a path', isChange, async (request, send) => {
    const response = await send(request)
    const json = Object(jsonOf(response))
    return json.docsUrl ? withJson(response, { ...json, docsUrl: new URL(json.docsUrl).pathname }) : response
  }),
  mutant(
    'every response sets a cookie of its own',
    (request) => pathOf(request).startsWith('/v1/'),
    withHeader('set-cookie', 'visitor=1; Path=/'),
    { notCaught: 'A proxy before the service may add such headers.' },
  ),
]

export const unseenFaults: Misbehaviour[] = [
  ...ofBodies,
  ...ofTexts,
  ...ofNames,
  ...ofUpdates,
  ...ofState,
  ...ofRequests,
  ...ofWaitlist,
  ...ofErrors,
]
