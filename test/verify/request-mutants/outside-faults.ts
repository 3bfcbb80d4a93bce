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
  invalidName,
  type Misbehaviour,
  nameTaken,
  type Project,
  text,
  typeOf,
  withCookie,
  withText,
} from '../misbehaviours/misbehaviour.js'
import {
  both,
  type Effect,
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
  stateful,
  type When,
  withHeader,
  withStatus,
} from './request-mutant.js'

// Faults that were listed by what servers, frameworks and proxies get wrong, before a look at the cases.

const by =
  (persona: Parameters<Parameters<Misbehaviour['behave']>[0]['cookieOf']>[0]): When =>
  (request, { cookieOf: of }) =>
    cookieOf(request) === of(persona)
/** All Cookie headers as one. */
const cookies = ({ headers }: ProxyRequest) =>
  headers.flatMap(([name, value]) => (/^cookie$/i.test(name) ? value : [])).join('; ')
const names = (pattern: RegExp): When => both(isChange, (request) => pattern.test(field(request, 'name')))
const refused: Effect = (request, send) => invalidName({ ...request, chunked: false }, send)
const first = onProjects((projects) => projects.slice(0, 1))
const withoutHeader = (request: ProxyRequest, dropped: RegExp): ProxyRequest => ({
  ...request,
  headers: request.headers.filter(([name]) => !dropped.test(name)),
})
const lenient = (what: string, applies: RegExp, repair: (body: string) => string): Misbehaviour =>
  mutant(
    what,
    both(isChange, (request) => applies.test(text(request.body)) && jsonOf(request) === undefined),
    (request, send) => send(withText(request, repair(text(request.body)))),
  )
const origins =
  (pattern: RegExp): When =>
  (request) =>
    pattern.test(header(request, 'origin') ?? '')
const projectOf = (response: ProxyResponse) => (Object(jsonOf(response)) as { project?: Project }).project
const emails = (pattern: RegExp): When =>
  both(is('joinWaitlist'), (request) => pattern.test(field(request, 'email')))
const rewritten = (what: string, from: RegExp, to: string): Misbehaviour =>
  mutant(
    what,
    both(isChange, (request) => from.test(field(request, 'name'))),
    (request, send) =>
      send(
        withRequestJson(request, { ...fieldsOf(request), name: field(request, 'name').replace(from, to) }),
      ),
  )

const ofHeaders: Misbehaviour[] = [
  ...['cookie', 'content-type'].map((name) =>
    mutant(
      `the header ${name} is known in small letters alone`,
      (request) => request.headers.some(([other]) => other !== name && other.toLowerCase() === name),
      (request, send) => send(withoutHeader(request, new RegExp(`^${name}$`, 'i'))),
    ),
  ),
  ...['text/csv', 'application/yaml', 'text/event-stream'].map((type) =>
    mutant(
      `a client that accepts ${type} gets it`,
      both(isRead, (request) => header(request, 'accept')?.includes(type) ?? false),
      withHeader('content-type', type),
    ),
  ),
  mutant(
    'another Accept than JSON is 406',
    (request) => /^(?!.*(json|\*\/\*))/.test(header(request, 'accept') ?? '*/*'),
    withStatus(406),
  ),
  ...['x-http-method-override', 'x-http-method', 'x-method-override'].map((name) =>
    mutant(
      `a POST with ${name} is an update`,
      (request) => request.method === 'POST' && header(request, name) === 'PATCH',
      (request, send) => send({ ...request, method: 'PATCH' }),
    ),
  ),
  mutant(
    'a POST with _method=PATCH is an update',
    (request) => request.method === 'POST' && query(request).get('_method') === 'PATCH',
    (request, send) => send({ ...request, method: 'PATCH' }),
  ),
  mutant(
    'a change with a foreign Referer is refused',
    both(isChange, (request) => /^https?:\/\/(?!127|localhost)/.test(header(request, 'referer') ?? '')),
    withStatus(403),
  ),
  mutant(
    'a change that a user has started is refused',
    both(isChange, (request) => header(request, 'sec-fetch-site') === 'none'),
    withStatus(403),
  ),
  ...(
    [
      ['starts with the own one', /^https?:\/\/(127\.0\.0\.1|localhost):\d+\./],
      ['contains the own one', /evil.*(127\.0\.0\.1|localhost)/],
      ['ends with the own host', /evil-?127\.0\.0\.1|evil-?localhost/],
      ['has a user', /@/],
      ['is a file', /^file:/],
    ] as const
  ).map(([what, pattern]) =>
    mutant(`an origin that ${what} may write`, both(isChange, origins(pattern)), (request, send) =>
      send(withoutHeader(request, /^(origin|sec-fetch-site)$/)),
    ),
  ),
  mutant(
    'a preflight request for PATCH is allowed',
    (request) => request.method === 'OPTIONS' && header(request, 'access-control-request-method') === 'PATCH',
    withHeader('access-control-allow-methods', 'PATCH'),
  ),
  mutant(
    'a cookie without a value ends the Cookie header',
    (request) => /(^|; )[^=;]+;.*session=/.test(cookieOf(request) ?? ''),
    (request, send) => send(withCookie(request, 'x=y')),
  ),
  mutant(
    'a cookie with an equals sign in its value ends the Cookie header',
    (request) => /(^|; )(?!session)\w+=[^=;]*=[^;]*;.*session=/.test(cookieOf(request) ?? ''),
    (request, send) => send(withCookie(request, 'x=y')),
  ),
  mutant(
    'a cookie that cannot be decoded is an error',
    (request) => /(^|; )(?!session)\w+=[^;]*%zz/.test(cookieOf(request) ?? ''),
    withStatus(400),
  ),
  mutant(
    'of two Cookie headers the first counts',
    (request) => request.headers.filter(([name]) => /^cookie$/i.test(name)).length > 1,
    (request, send) => {
      const [, value = ''] = request.headers.find(([name]) => /^cookie$/i.test(name)) ?? []
      return send(withCookie(request, value))
    },
  ),
  ...['teamId', 'orgCode', 'organization', 'tenant', 'team', 'userId'].map((name) =>
    mutant(
      `the cookie ${name} chooses the team`,
      both(isRead, (request) => new RegExp(`(^|; )${name}=`).test(cookies(request))),
      (request, send, { cookieOf: of }) => send(withCookie(request, of('globex-owner'))),
    ),
  ),
  ...['role', 'permissions', 'admin'].map((name) =>
    mutant(
      `the cookie ${name} grants permissions`,
      both(isChange, (request) => new RegExp(`(^|; )${name}=`).test(cookies(request))),
      (request, send, { cookieOf: of }) => send(withCookie(request, of('acme-owner'))),
    ),
  ),
]

const ofBodies: Misbehaviour[] = [
  mutant(
    'the list obeys the body of a GET',
    both(is('listProjects'), (request) => fieldsOf(request).limit !== undefined),
    first,
  ),
  mutant(
    'the bundle obeys the body of a GET',
    both(is('getSession'), (request) => fieldsOf(request).teamId !== undefined),
    (request, send, { cookieOf: of }) => send(withCookie(request, of('globex-owner'))),
  ),
  lenient('keys without quotes are accepted', /^\{name:/, (body) => body.replace('name', '"name"')),
  lenient('line comments are accepted', /\}\s*\/\//, (body) => body.replace(/\/\/.*/, '')),
  lenient('YAML is accepted', /^name: /, () => '{"name":"Fresh"}'),
  lenient('a tab in a text is accepted', /"[^"]*\t[^"]*"/, (body) => body.replace('\t', ' ')),
  lenient('a line break in a text is accepted', /"[^"]*[\n\r][^"]*"/, (body) => body.replace(/[\n\r]/, ' ')),
  lenient('a no-break space is white space', /^\u00a0/, (body) => body.trim()),
  lenient('a form feed is white space', /^\f/, (body) => body.trim()),
  lenient('hexadecimal escapes are accepted', /\\x[0-9a-f]{2}/, (body) => body.replace(/\\x../, 'A')),
  lenient('NUL after the JSON is ignored', /^[^\0]+\}\0$/, (body) => body.slice(0, -1)),
  lenient('a bracket after the JSON is ignored', /\}[\]}]$/, (body) => body.slice(0, -1)),
  mutant(
    'a form is accepted with a charset',
    both(isChange, (request) => /urlencoded; ?charset/.test(typeOf(request) ?? '')),
    withStatus(422),
  ),
]

const ofTexts: Misbehaviour[] = [
  ...['admin', 'root', 'system', 'api', 'test', 'default', 'settings', 'undefined', 'me'].map((word) =>
    mutant(`the name ${word} is reserved`, names(new RegExp(`^${word}$`, 'i')), refused),
  ),
  mutant('a name that is a URL is refused', names(/^https?:\/\/\S+$/), refused),
  mutant('a name that is an address of mail is refused', names(/^\S+@\S+\.\w+$/), refused),
  rewritten('numbers of cards are masked', /\b\d{16}\b/, '****'),
  rewritten('three dots become an ellipsis', /\.\.\./, '…'),
  rewritten('(c) becomes a sign', /\(c\)/, '©'),
  rewritten('words between colons become emoji', /:[a-z]+:/, '🙂'),
  rewritten('links in Markdown are resolved', /\[(\w+)\]\(\S*\)/, '$1'),
  rewritten('stars of Markdown are removed', /\*\*(\w+)\*\*/, '$1'),
  rewritten('straight quotes become typographic', /"(\w+)"/, '“$1”'),
  rewritten('named entities are resolved', /&(amp|nbsp|eacute);/, ' '),
  rewritten('digits of other scripts become ASCII', /[\u0660-\u0669]/, '0'),
  rewritten('a soft hyphen is removed', /\u00ad/, ''),
  rewritten('letters of Hangul are composed', /\u1112\u1161\u11ab/, '한'),
]

const ofState: Misbehaviour[] = [
  stateful('two projects cannot have one description', isChange, () => {
    const taken = new Map<string, string>()
    return async (request, send) => {
      const description = field(request, 'description')
      const id = pathOf(request).split('/').at(-1) ?? ''
      if (
        isChange(request, undefined as never) &&
        description !== '' &&
        (taken.get(description) ?? id) !== id
      )
        return nameTaken(request, send)
      const response = await send(request)
      const project = projectOf(response)
      if (project && description !== '') taken.set(description, project.id)
      return response
    }
  }),
  ...(['globex-owner', 'acme-member', 'acme-updater'] as const).map((persona) =>
    mutant(
      `an update of ${persona} is answered but not stored`,
      both(is('updateProject'), by(persona)),
      async (request, send) => {
        const old = await send(withRequestJson(request, {}))
        return old.status === 200
          ? withJson(old, { project: { ...projectOf(old), ...fieldsOf(request) } })
          : send(request)
      },
    ),
  ),
  ...(['globex-owner', 'acme-member', 'acme-creator'] as const).map((persona) =>
    stateful(
      `a project of ${persona} is not in the list`,
      (request, context) => is('createProject')(request) && by(persona)(request, context),
      (context) => {
        const hidden = new Set<string | undefined>()
        return async (request, send) => {
          const response = await send(request)
          if (response.status === 201 && by(persona)(request, context)) hidden.add(projectOf(response)?.id)
          return onProjects((projects) => projects.filter(({ id }) => !hidden.has(id)))(
            request,
            async () => response,
            context,
          )
        }
      },
    ),
  ),
  mutant(
    'an update of globex-owner shows the other status',
    both(is('updateProject'), by('globex-owner')),
    onProject((project) => ({ ...project, status: 'active' })),
  ),
  mutant(
    'an id in upper-case percent-encoding is unknown',
    both(
      is('updateProject'),
      (request) => /%2[A-F]/.test(pathOf(request)) && /^\S{60,}$/.test(pathOf(request)),
    ),
    (request, send) => send({ ...request, path: '/v1/projects/unknown' }),
  ),
  mutant(
    'an id of which a part is percent-encoded is unknown',
    both(is('updateProject'), (request) => /^\/v1\/projects\/[0-9a-f]+%2d[0-9a-f]+/i.test(pathOf(request))),
    (request, send) => send({ ...request, path: '/v1/projects/unknown' }),
  ),
  mutant(
    'a control character beyond ASCII in an address is accepted',
    emails(/[\u0080-\u009f]/),
    async (request, send) => send(withRequestJson(request, { email: 'ada@example.com' })),
  ),
  mutant('an empty label in a domain is refused', emails(/@.*\.\./), async (request, send) =>
    send(withRequestJson(request, { email: '' })),
  ),
  mutant('a zero-width space in an address is refused', emails(/\u200b/), async (request, send) =>
    send(withRequestJson(request, { email: '' })),
  ),
  mutant('a no-break space around an address is refused', emails(/\u00a0$|^\ufeff/), async (request, send) =>
    send(withRequestJson(request, { email: '' })),
  ),
  stateful('a name that differs in an accent is taken', isChange, () => {
    const plain = (name: string) =>
      name
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .toLowerCase()
    const names = new Map<string, string>()
    return async (request, send) => {
      const name = field(request, 'name')
      const other = names.get(plain(name))
      if (is('createProject')(request) && name && other !== undefined && other !== name.toLowerCase())
        return nameTaken(request, send)
      const response = await send(request)
      if (response.status === 201) names.set(plain(name), name.toLowerCase())
      return response
    }
  }),
  stateful('a name that differs in its digits is taken', isChange, () => {
    const names = new Set<string>()
    return async (request, send) => {
      const name = field(request, 'name').normalize('NFKC')
      if (is('createProject')(request) && field(request, 'name') !== name && names.has(name))
        return nameTaken(request, send)
      const response = await send(request)
      if (response.status === 201) names.add(name)
      return response
    }
  }),
  stateful('the list is empty for a caller who was refused before', isRead, () => {
    const refusedOnce = new Set<string | undefined>()
    return async (request, send) => {
      const response = await send(request)
      if (response.status === 403 && is('updateProject')(request)) refusedOnce.add(cookieOf(request))
      return is('listProjects')(request) && refusedOnce.has(cookieOf(request)) && response.status === 200
        ? withJson(response, { projects: [] })
        : response
    }
  }),
  stateful('a bundle after a creation of another member is old', isRead, () => {
    const kept = new Map<string, ProxyResponse>()
    return async (request: ProxyRequest, send: Send) => {
      const key = cookieOf(request) ?? ''
      if (isChange(request, undefined as never)) kept.delete(key)
      const old = is('getSession')(request) && request.method === 'GET' ? kept.get(key) : undefined
      if (old) return old
      const response = await send(request)
      if (is('getSession')(request) && request.method === 'GET' && response.status === 200)
        kept.set(key, response)
      return response
    }
  }),
]

export const outsideFaults: Misbehaviour[] = [...ofHeaders, ...ofBodies, ...ofTexts, ...ofState]
