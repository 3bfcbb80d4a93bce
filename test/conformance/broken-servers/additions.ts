import {
  jsonOf,
  type ProxyRequest,
  type ProxyResponse,
  type Send,
  withJson,
  withRequestJson,
} from '../broken-server-proxy.js'
import {
  type BrokenServer,
  type Context,
  codeOf,
  cookieOf,
  get,
  is,
  isChange,
  listPath,
  onResponse,
  withCookie,
} from './broken-server.js'

const parameter = ({ path }: ProxyRequest, name: string) =>
  new URLSearchParams(path.split('?')[1] ?? '').get(name)
const header = ({ headers }: ProxyRequest, name: string) => headers.find(([each]) => each === name)?.[1]
const project = (response: ProxyResponse) => Object(jsonOf(response)).project

/** Serves a request as the owner in whose bundle this is the case. */
const asOwnerWho =
  (
    chosen: (request: ProxyRequest) => string | null | undefined,
    isIn: (bundle: ReturnType<typeof Object>, value: string) => boolean,
    applies: (request: ProxyRequest) => boolean = () => true,
  ): BrokenServer['behave'] =>
  ({ cookieOf: of }: Context) =>
  async (request: ProxyRequest, send: Send) => {
    const value = chosen(request)
    if (!value || !applies(request)) return send(request)
    for (const as of ['owner', 'other-owner'] as const) {
      const bundle = jsonOf(await send(withCookie(get(request, '/v1/auth/me'), of(as))))
      if (isIn(Object(bundle), value)) return send(withCookie(request, of(as)))
    }
    return send(request)
  }

export const additionServers: BrokenServer[] = [
  {
    name: 'a query parameter chooses the team of a list',
    caughtBy: 'Reads do not change with query parameters and headers',
    behave: asOwnerWho(
      (request) => parameter(request, 'teamId'),
      ({ teamId }, value) => teamId === value,
      (request) => is('listProjects')(request) && cookieOf(request) !== undefined,
    ),
  },
  {
    name: 'a header chooses the team of a creation',
    caughtBy: 'A creation takes its fields from the body and its team from the session',
    behave: asOwnerWho(
      (request) => header(request, 'x-org-code'),
      ({ organization }, value) => organization.orgCode === value,
      is('createProject'),
    ),
  },
  {
    name: 'a header of a proxy signs in',
    caughtBy: 'Reads do not change with query parameters and headers',
    behave: asOwnerWho(
      (request) => header(request, 'x-forwarded-user'),
      ({ user }, value) => user.id === value,
      (request) => cookieOf(request) === undefined,
    ),
  },
  {
    name: 'a cookie chooses the team',
    caughtBy: 'Other cookies choose no team and no user',
    behave: asOwnerWho(
      (request) => /(?<=\bteam=)[^;]+/.exec(cookieOf(request) ?? '')?.[0],
      ({ teamId }, value) => teamId === value,
      is('listProjects'),
    ),
  },
  {
    name: 'a header grants a permission',
    caughtBy: 'A refused change is refused alike with any query parameters and headers',
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(
          isChange(request) && header(request, 'x-permissions') && cookieOf(request) === of('viewer')
            ? withCookie(request, of('owner'))
            : request,
        ),
  },
  {
    name: 'a query parameter is a field of a creation',
    caughtBy: 'A creation takes its fields from the body and its team from the session',
    behave: () => async (request, send) => {
      const response = await send(request)
      const status = parameter(request, 'status')
      if (!is('createProject')(request) || response.status !== 201 || !status) return response
      const path = `${listPath}/${project(response).id}`
      const changed = await send(withRequestJson({ ...request, method: 'PATCH', path }, { status }))
      return { ...response, text: changed.text }
    },
  },
  {
    name: 'a query parameter chooses the project of an update',
    caughtBy: 'An update takes its project from the path and its fields from the body',
    behave: () => (request, send) => {
      const id = is('updateProject')(request) && parameter(request, 'projectId')
      return send(id ? { ...request, path: `${listPath}/${id}` } : request)
    },
  },
  {
    name: 'a key of idempotency replays a response',
    caughtBy: 'Two requests with one key of idempotency are two requests',
    behave: () => {
      const replies = new Map<string, ProxyResponse>()
      return async (request, send) => {
        const key = header(request, 'idempotency-key')
        const response = (key && replies.get(key)) || (await send(request))
        if (key) replies.set(key, response)
        return response
      }
    },
  },
  {
    name: 'a condition of time is obeyed',
    caughtBy: 'Reads do not change with query parameters and headers',
    behave: onResponse((response, request) =>
      header(request, 'if-modified-since') ? { ...response, status: 304, text: '' } : response,
    ),
  },
  {
    name: 'a client may prefer a minimal response',
    caughtBy: 'An update takes its project from the path and its fields from the body',
    behave: onResponse((response, request) =>
      /return=minimal/.test(header(request, 'prefer') ?? '') &&
      response.status === 200 &&
      is('updateProject')(request)
        ? { ...response, status: 204, text: '' }
        : response,
    ),
  },
  {
    name: 'a query parameter adds the reason of a refusal',
    caughtBy: 'A refused change is refused alike with any query parameters and headers',
    behave: onResponse((response, request) =>
      parameter(request, 'debug') && codeOf(response) === 'PROJECT_NAME_TAKEN'
        ? withJson(response, { ...Object(jsonOf(response)), error: 'The key projects_name_key is taken.' })
        : response,
    ),
  },
]
