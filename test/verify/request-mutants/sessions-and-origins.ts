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
  hasFields,
  type Misbehaviour,
  withCookie,
} from '../misbehaviours/misbehaviour.js'
import {
  idOf,
  isBy,
  isCreate,
  isList,
  isSignUp,
  isUpdate,
  none,
  path,
  refuse,
  withoutOrigin,
} from './replies.js'
import {
  asCaller,
  both,
  field,
  header,
  isChange,
  isRead,
  mutant,
  pathOf,
  query,
  sends,
  sessionOf,
  stateful,
  type When,
  withHeader,
  withStatus,
} from './request-mutant.js'

// What session libraries, CSRF middleware and checks of permissions and tenants do.

const cookieMatches =
  (pattern: RegExp): When =>
  (request) =>
    pattern.test(cookieOf(request) ?? '')
/** Answers as if another Cookie header had been sent. */
const readsCookie =
  (edit: (cookie: string) => string) =>
  (request: ProxyRequest, send: Parameters<ReturnType<typeof asCaller>>[1]) =>
    send(withCookie(request, edit(cookieOf(request) ?? '')))
const origin = (pattern: RegExp): When => both(isChange, sends('origin', pattern))
const trusts = (name: string, when: When) =>
  mutant(name, when, (request, send) => send(withoutOrigin(request)))
const refusedBefore = (name: string, statuses: RegExp) =>
  mutant(name, isChange, async (request, send, context) => {
    const response = await send(request)
    if (![400, 401, 403].includes(response.status)) return response
    const asOwner = await send(withCookie(request, context.cookieOf('acme-viewer')))
    const other =
      asOwner.status === 403
        ? await send({
            ...request,
            headers: [...withCookie(request, context.cookieOf('globex-owner')).headers],
          })
        : asOwner
    return statuses.test(String(other.status)) ? other : response
  })

export const sessionsAndOrigins: Misbehaviour[] = [
  mutant(
    'quotes around a session are removed',
    cookieMatches(/session="/),
    readsCookie((cookie) => cookie.replaceAll('"', '')),
  ),
  mutant(
    'a cookie whose name ends in session is the session',
    cookieMatches(/[\w-]session=/i),
    readsCookie((cookie) => cookie.replace(/[\w-]+session=/gi, 'session=')),
  ),
  mutant(
    'a cookie session[] is the session, as in PHP',
    cookieMatches(/session\[/),
    readsCookie((cookie) => cookie.replace(/session\[\w*\]=/g, 'session=')),
  ),
  mutant(
    'a cookie whose name starts with session is the session',
    cookieMatches(/(^|[; ])session[\w.-]+=/),
    readsCookie((cookie) => cookie.replace(/session[\w.-]+=/g, 'session=')),
  ),
  {
    ...mutant(
      'a blank before the sign of a cookie is skipped',
      cookieMatches(/session\s+=|session=\s/),
      readsCookie((cookie) => cookie.replace(/session\s*=\s*/g, 'session=')),
    ),
    notCaught: 'No decision says whether blanks belong to the name of a cookie.',
  },
  mutant(
    'cookies that are divided by commas are read',
    cookieMatches(/,\s*session=/),
    readsCookie((cookie) => cookie.replace(/,\s*/g, '; ')),
  ),
  mutant(
    'a cookie that cannot be parsed ends the reading, as in Python',
    cookieMatches(/^[^;]*["\s<>@()[\]{}][^;]*;.*session=/),
    refuse(401, 'AUTH_REQUIRED'),
  ),
  mutant(
    'a cookie without a sign ends the reading',
    cookieMatches(/(^|;)\s*[^=;]+;.*session=/),
    refuse(401, 'AUTH_REQUIRED'),
  ),
  mutant('a cookie that cannot be decoded is 400', cookieMatches(/%(?![\da-f]{2})/i), refuse(400)),
  mutant(
    'a Cookie header of more than 4 KB is 400',
    (request) => (cookieOf(request) ?? '').length > 4096,
    refuse(400),
  ),
  mutant(
    'more than 10 cookies are not read',
    (request) => (cookieOf(request) ?? '').split(';').length > 10,
    refuse(401, 'AUTH_REQUIRED'),
  ),
  mutant(
    'the first of two session cookies counts',
    cookieMatches(/session=.*session=/),
    readsCookie((cookie) => cookie.match(/session=[^;]*/)?.[0] ?? ''),
  ),
  mutant(
    'the last of two session cookies counts',
    cookieMatches(/session=.*session=/),
    readsCookie((cookie) => cookie.match(/session=[^;]*$/)?.[0] ?? ''),
  ),
  mutant(
    'the signature of a session is compared without case',
    cookieMatches(/session=/),
    async (request, send, context) => {
      const value = sessionOf(request)?.toLowerCase()
      const known = (['acme-owner', 'globex-owner', 'acme-member'] as const).find(
        (persona) => context.cookieOf(persona).toLowerCase() === `session=${value}`,
      )
      return send(known ? withCookie(request, context.cookieOf(known)) : request)
    },
    { mode: 'production' },
  ),
  mutant(
    'the signature of a session may be cut',
    cookieMatches(/session=/),
    async (request, send, context) => {
      const value = sessionOf(request) ?? ''
      const known = (['acme-owner', 'globex-owner'] as const).find(
        (persona) =>
          value.length > 20 && context.cookieOf(persona).startsWith(`session=${value.slice(0, -1)}`),
      )
      return send(known ? withCookie(request, context.cookieOf(known)) : request)
    },
    { mode: 'production' },
  ),
  mutant(
    'what follows the signature of a session is ignored',
    cookieMatches(/session=/),
    async (request, send, context) => {
      const value = sessionOf(request) ?? ''
      const known = (['acme-owner', 'globex-owner'] as const).find((persona) =>
        `session=${value}`.startsWith(context.cookieOf(persona)),
      )
      return send(known ? withCookie(request, context.cookieOf(known)) : request)
    },
    { mode: 'production' },
  ),
  mutant(
    'a session in the query counts',
    (request) =>
      isRead(request) &&
      ['session', 'token', 'access_token', 'sid', 'api_key', 'apikey', 'auth'].some((name) =>
        query(request).has(name),
      ) &&
      !cookieOf(request),
    (request, send, context) => asCaller('acme-owner')(request, send, context),
  ),
  ...[
    'authorization',
    'x-session',
    'x-session-token',
    'x-api-key',
    'x-auth-token',
    'x-access-token',
    'session',
  ].map((name) =>
    mutant(
      `the header ${name} counts as a session`,
      (request) => header(request, name) !== undefined && !cookieOf(request),
      (request, send) => {
        const value = (header(request, name) ?? '').replace(/^\w+ /, '').replace(/^session=/, '')
        return send(withCookie(request, `session=${value}`))
      },
    ),
  ),
  ...[
    'x-team-id',
    'x-tenant-id',
    'x-org-id',
    'x-organization',
    'x-account-id',
    'x-org-code',
    'x-workspace-id',
  ].map((name) =>
    mutant(
      `the header ${name} is the team of a read`,
      (request, context) =>
        isRead(request) && isBy('acme-owner')(request, context) && /globex/.test(header(request, name) ?? ''),
      asCaller('globex-owner'),
    ),
  ),
  ...[
    'x-user-id',
    'x-forwarded-user',
    'x-remote-user',
    'x-user-email',
    'x-authenticated-userid',
    'x-impersonate-user',
    'x-forwarded-email',
  ].map((name) =>
    mutant(
      `the header ${name} is the user`,
      (request) => header(request, name) !== undefined && !cookieOf(request),
      asCaller('acme-owner'),
    ),
  ),
  ...['x-permissions', 'x-role', 'x-user-role', 'x-scopes', 'x-admin'].map((name) =>
    mutant(
      `the header ${name} gives permissions`,
      (request, context) =>
        isChange(request) && header(request, name) !== undefined && isBy('acme-viewer')(request, context),
      asCaller('acme-owner'),
    ),
  ),
  trusts('an Origin of null may change', origin(/^null$/)),
  trusts(
    'an Origin that begins like the own may change',
    origin(/^https?:\/\/(127\.0\.0\.1|localhost)(:\d+)?\./),
  ),
  { ...trusts('an Origin of a subdomain may change', origin(/^https?:\/\/\w+\.127/)), mode: 'production' },
  {
    ...trusts('an Origin with another port may change', origin(/^http:\/\/(127\.0\.0\.1|localhost):\d+$/)),
    mode: 'production',
  },
  trusts('an Origin with another scheme may change', origin(/^https:\/\/(127\.0\.0\.1|localhost)/)),
  trusts('an Origin that ends like the own may change', origin(/[\w-](127\.0\.0\.1|localhost)(:\d+)?$/)),
  trusts('Sec-Fetch-Site: same-site may change', both(isChange, sends('sec-fetch-site', /same-site/))),
  {
    ...trusts('Sec-Fetch-Site in capitals may change', both(isChange, sends('sec-fetch-site', /[A-Z]/))),
    notCaught: 'Browsers send no such header, and no decision says what it means.',
  },
  trusts('a navigation from another site may change', both(isChange, sends('sec-fetch-mode', /navigate/))),
  trusts('a cross-site change with X-Requested-With is accepted', both(isChange, sends('x-requested-with'))),
  trusts('a cross-site change with a CSRF token is accepted', both(isChange, sends('x-csrf-token'))),
  mutant(
    'a cross-site sign-up is accepted',
    both(isSignUp, (request) => sends('origin')(request, none) || sends('sec-fetch-site')(request, none)),
    (request, send) => send(withoutOrigin(request)),
  ),
  mutant(
    'a change without an Origin is refused',
    both(isChange, (request) => header(request, 'origin') === undefined),
    refuse(403, 'CROSS_SITE_REFUSED'),
  ),
  mutant(
    'a Referer of another site is refused',
    both(isChange, sends('referer'), (request) => header(request, 'origin') === undefined),
    refuse(403, 'CROSS_SITE_REFUSED'),
  ),
  mutant(
    'a cross-site read is refused',
    both(isRead, sends('sec-fetch-site', /cross-site/)),
    refuse(403, 'CROSS_SITE_REFUSED'),
  ),
  mutant(
    'a cross-site read has the origin in CORS',
    both(isRead, sends('origin', /evil|example/)),
    (request, send, context) =>
      withHeader('access-control-allow-origin', header(request, 'origin'))(request, send, context),
  ),
  mutant(
    'a cross-site error has the origin in CORS',
    both(isChange, sends('origin')),
    (request, send, context) => withHeader('access-control-allow-origin', '*')(request, send, context),
  ),
  mutant(
    'a preflight is 204',
    (request) =>
      request.method === 'OPTIONS' && header(request, 'access-control-request-method') !== undefined,
    async (request, send) => ({ ...(await send(request)), status: 204, text: '' }),
  ),
  mutant(
    'a cross-site request without session is 401',
    both(isChange, sends('sec-fetch-site', /cross-site/), (request) => !cookieOf(request)),
    refuse(401, 'AUTH_REQUIRED'),
  ),
  mutant(
    'a cross-site request with a bad body is 422',
    both(isChange, sends('sec-fetch-site', /cross-site/), (request) => !hasFields(request)),
    refuse(422),
  ),
  refusedBefore('the media type is checked before the caller', /415/),
  refusedBefore('the size is checked before the caller', /413/),
  stateful('permissions are cached for each user', isChange, () => {
    return async (request, send) => {
      const bundle = jsonOf(
        await send({
          method: 'GET',
          path: '/v1/auth/me',
          headers: [['cookie', cookieOf(request) ?? '']],
          chunked: false,
        }),
      )
      return send(
        Object(bundle).user?.id === 'user-max' && sessionOf(request) === 'acme-near-miss'
          ? withCookie(request, 'session=acme-member')
          : request,
      )
    }
  }),
  mutant(
    'a description may be changed without permission',
    (request, context) =>
      isUpdate(request) &&
      Object.keys(fieldsOf(request)).join() === 'description' &&
      isBy('acme-viewer')(request, context),
    asCaller('acme-member'),
  ),
  mutant(
    'a status may be changed without permission',
    (request, context) =>
      isUpdate(request) &&
      Object.keys(fieldsOf(request)).join() === 'status' &&
      isBy('acme-viewer')(request, context),
    asCaller('acme-member'),
  ),
  mutant(
    'an update without fields needs no permission',
    (request, context) =>
      isUpdate(request) &&
      hasFields(request) &&
      Object.keys(fieldsOf(request)).length === 0 &&
      isBy('acme-viewer')(request, context),
    asCaller('acme-member'),
  ),
  mutant(
    'an update without fields of an unknown id is 422',
    both(isUpdate, hasFields, (request) => Object.keys(fieldsOf(request)).length === 0),
    async (request, send, context) => {
      const response = await send(request)
      return response.status === 404 ? refuse(422)(request, send, context) : response
    },
  ),
  mutant(
    'who may create may change the status',
    (request, context) =>
      isUpdate(request) && 'status' in fieldsOf(request) && isBy('acme-creator')(request, context),
    asCaller('acme-member'),
  ),
  mutant(
    'who may update may create with a description',
    (request, context) =>
      isCreate(request) && 'description' in fieldsOf(request) && isBy('acme-updater')(request, context),
    asCaller('acme-member'),
  ),
  mutant(
    'an update of the description is not bound to the team',
    (request, context) =>
      isUpdate(request) &&
      Object.keys(fieldsOf(request)).join() === 'description' &&
      isBy('globex-owner')(request, context),
    asCaller('acme-owner'),
  ),
  mutant(
    'a taken name is found before an unknown id',
    both(isUpdate, (request) => typeof fieldsOf(request).name === 'string'),
    async (request, send, context) => {
      const response = await send(request)
      if (response.status !== 404) return response
      const probe = await send(
        withRequestJson(
          { ...request, method: 'POST', path: '/v1/projects' },
          { name: fieldsOf(request).name },
        ),
      )
      return probe.status === 409 ? refuse(409, 'PROJECT_NAME_TAKEN')(request, send, context) : response
    },
  ),
  mutant('a 401 clears the cookie', isRead, async (request, send, context) => {
    const response = await send(request)
    return response.status === 401
      ? withHeader('set-cookie', 'session=; Max-Age=0; Path=/')(request, async () => response, context)
      : response
  }),
  mutant(
    'a bad session on the waitlist is 401',
    both(isSignUp, (request) => cookieOf(request) !== undefined),
    refuse(401, 'AUTH_REQUIRED'),
  ),
  mutant(
    'a read renews the cookie',
    both(isRead, cookieMatches(/session=/)),
    async (request, send, context) => {
      const response = await send(request)
      return response.status === 200
        ? withHeader('set-cookie', `${cookieOf(request)}; Path=/; HttpOnly`)(
            request,
            async () => response,
            context,
          )
        : response
    },
  ),
  mutant(
    'a 401 is a redirect for pages',
    both(isRead, sends('sec-fetch-mode', /navigate/)),
    async (request, send) => {
      const response = await send(request)
      return response.status === 401
        ? { ...response, status: 302, headers: { ...response.headers, location: '/auth/sign-in' } }
        : response
    },
  ),
  mutant(
    'GET signs out',
    (request) => request.method === 'GET' && pathOf(request) === '/auth/sign-out',
    async (request, send) => ({ ...(await send(request)), status: 303 }),
  ),
  {
    ...mutant('the bundle says permissions in order', isRead, async (request, send) => {
      const response = await send(request)
      const json = Object(jsonOf(response))
      return Array.isArray(json.permissions)
        ? withJson(response, { ...json, permissions: json.permissions.toSorted() })
        : response
    }),
    notCaught: 'The interface specifies neither the order of permissions nor which others there are.',
  },
  mutant(
    'an empty session before a valid one is 401',
    (request) => /session=;\s*session=./.test(cookieOf(request) ?? ''),
    refuse(401, 'AUTH_REQUIRED'),
  ),
  mutant(
    'a semicolon at the end of the cookies is 400',
    (request) => /;\s*$/.test(cookieOf(request) ?? ''),
    refuse(400),
  ),
  mutant(
    'cookies divided by a semicolon alone are one',
    (request) => /;\S*session=/.test(cookieOf(request) ?? ''),
    refuse(401, 'AUTH_REQUIRED'),
  ),
  mutant(
    'a second Cookie header is ignored',
    (request) => request.headers.filter(([n]) => n.toLowerCase() === 'cookie').length > 1,
    (request, send) => send(withCookie(request, cookieOf(request) ?? '')),
  ),
  mutant(
    'who has no organisation may create',
    both(isCreate, isBy('no-organization')),
    refuse(403, 'TEAM_MEMBERSHIP_REQUIRED'),
  ),
  mutant(
    'an invalid creation without organisation is 422',
    both(isCreate, isBy('no-organization'), (request) => field(request, 'name') === ''),
    refuse(422),
  ),
  mutant('an update without team is 404', both(isUpdate, isBy('no-team')), refuse(404, 'PROJECT_NOT_FOUND')),
  mutant(
    'a large body without permission is 413',
    both(isChange, isBy('acme-viewer'), (request) => (request.body?.length ?? 0) > 65536),
    refuse(413),
  ),
  mutant(
    'a blank id without permission is 400',
    both(isUpdate, isBy('acme-viewer'), (request) => /^(%20)*$/.test(idOf(request))),
    refuse(400, 'EMPTY_QUERY_FILTER'),
  ),
  mutant(
    'a blank id without session is 400',
    both(isUpdate, (request) => !cookieOf(request) && /^(%20)*$/.test(idOf(request))),
    refuse(400, 'EMPTY_QUERY_FILTER'),
  ),
  mutant(
    'an id of white space that is not ASCII is unknown',
    both(isUpdate, path(/\/(%c2%a0|%e2%80%8|%e3%80%80)/i)),
    refuse(404, 'PROJECT_NOT_FOUND'),
  ),
  ...[
    ['of a file', /^file:/],
    ['of an extension', /^(chrome|moz)-extension:/],
    ['without scheme', /^[^:/]+$/],
    ['with a user', /@/],
  ].map(([name, pattern]) =>
    mutant(
      `an origin ${name} may change`,
      both(isChange, sends('origin', pattern as RegExp)),
      (request, send) =>
        send({ ...request, headers: request.headers.filter(([n]) => !/^(origin|sec-fetch-site)$/i.test(n)) }),
    ),
  ),
  {
    ...mutant(
      'Sec-Fetch-Site of the same origin makes any Origin right',
      both(isChange, sends('origin'), sends('sec-fetch-site', /same-origin/)),
      (request, send) => send({ ...request, headers: request.headers.filter(([n]) => !/^origin$/i.test(n)) }),
    ),
    notCaught: 'Browsers send no such header, and no decision says what it means.',
  },
  mutant(
    'a change from the own page is refused',
    both(isChange, sends('sec-fetch-site', /same-origin/)),
    refuse(403, 'CROSS_SITE_REFUSED'),
  ),
  mutant(
    'a change that a user typed is refused',
    both(isChange, sends('sec-fetch-site', /none/)),
    refuse(403, 'CROSS_SITE_REFUSED'),
  ),
  mutant(
    'a sign-out without a session is 401',
    both(path(/^\/auth\/sign-out$/), (request) => !cookieOf(request)),
    withStatus(401),
  ),
  mutant(
    'a cross-site sign-out is accepted',
    both(
      path(/^\/auth\/sign-out$/),
      (request) => header(request, 'origin') !== undefined || header(request, 'sec-fetch-site') !== undefined,
    ),
    (request, send) =>
      send({ ...request, headers: request.headers.filter(([n]) => !/^(origin|sec-fetch-.*)$/i.test(n)) }),
  ),
  mutant(
    'a sign-out leads to any host',
    both(path(/^\/auth\/sign-(out|in)$/), ({ path }) => /returnTo=/.test(path)),
    async (request, send, context) => {
      const r = await send(request)
      const to = query(request).get('returnTo') ?? ''
      return r.status === 303 && /^(\/\/|\/\\|https?:)/.test(to)
        ? withHeader('location', to)(request, async () => r, context)
        : r
    },
  ),
  mutant('a sign-out does not clear the cookie', path(/^\/auth\/sign-out$/), withHeader('set-cookie')),
  {
    ...stateful('a session that was ended may still list', path(/^\/auth\/sign-out$/), () => {
      const ended = new Map<string, ProxyResponse>()
      return async (request, send) => {
        const cookie = cookieOf(request) ?? ''
        if (/^\/auth\/sign-out$/.test(pathOf(request)) && cookie) ended.set(cookie, await send(get(request)))
        if (isList(request) && ended.has(cookie)) return ended.get(cookie) as ProxyResponse
        return send(request)
      }
    }),
    notCaught: 'A run would end the sessions that it was given.',
  },
]
