import { route } from '../../../src/contract/route.js'
import {
  type Behaviour,
  jsonOf,
  type ProxyRequest,
  type ProxyResponse,
  type Send,
  withJson,
  withRequestJson,
} from '../broken-server-proxy.js'
import type { StartedTarget } from '../start-dev-server.js'

/** The Cookie headers of the callers. */
export type Context = Pick<StartedTarget, 'cookieOf'>

export type BrokenServer = {
  /** The sentence of the specification that the server breaks. */
  name: string
  /** The title of the case that finds the broken server. */
  caughtBy: string
  /** The mode of the server behind the proxy, by default the mock. */
  mode?: 'production'
  /** Creates the state of the broken server. */
  behave: (context: Context) => Behaviour
}

const operationOf = ({ method, path }: ProxyRequest) => route(method, path.split('?', 1)[0] ?? '').operation
export const cookieOf = ({ headers }: ProxyRequest) =>
  headers.find(([name]) => name.toLowerCase() === 'cookie')?.[1]
export const withCookie = (request: ProxyRequest, cookie: string): ProxyRequest => ({
  ...request,
  headers: [...request.headers.filter(([name]) => name.toLowerCase() !== 'cookie'), ['cookie', cookie]],
})
export const withType = (request: ProxyRequest, type: string): ProxyRequest => ({
  ...request,
  headers: [
    ...request.headers.filter(([name]) => name.toLowerCase() !== 'content-type'),
    ['content-type', type],
  ],
})
export const typeOf = ({ headers }: ProxyRequest) =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
export const codeOf = (response: ProxyResponse) => Object(jsonOf(response)).code as string | undefined
export const isChange = (request: ProxyRequest) =>
  ['createProject', 'updateProject'].includes(operationOf(request) ?? '')
export const fieldsOf = (request: ProxyRequest) => Object(jsonOf(request)) as Record<string, unknown>
export const hasFields = (request: ProxyRequest) =>
  isChange(request) &&
  typeof jsonOf(request) === 'object' &&
  jsonOf(request) !== null &&
  !Array.isArray(jsonOf(request))

export type Project = {
  id: string
  name: string
  description: string | null
  status: string
  createdAt: string
}
export const listPath = '/v1/projects'
export const get = (request: ProxyRequest, path = listPath): ProxyRequest => ({
  method: 'GET',
  path,
  headers: request.headers.filter(([name]) => name.toLowerCase() === 'cookie'),
  chunked: false,
})
export const projectsFor = async (request: ProxyRequest, send: Send): Promise<Project[]> =>
  Object(jsonOf(await send(get(request)))).projects ?? []

const create = (request: ProxyRequest, send: Send, name: unknown) =>
  send(
    withRequestJson({ ...withType(request, 'application/json'), method: 'POST', path: listPath }, { name }),
  )

/** The response of the service to a taken name. */
export const nameTaken = async (request: ProxyRequest, send: Send): Promise<ProxyResponse> =>
  create(request, send, (await projectsFor(request, send))[0]?.name)
/** The response of the service to an invalid name. */
export const invalidName = (request: ProxyRequest, send: Send) => create(request, send, '')

/** Changes requests only. */
export const onRequest =
  (edit: (request: ProxyRequest) => ProxyRequest): BrokenServer['behave'] =>
  () =>
  (request, send) =>
    send(edit(request))

/** Changes the fields of creations and updates. */
export const onFields = (
  edit: (fields: Record<string, unknown>, method: string) => Record<string, unknown>,
) =>
  onRequest((request) =>
    hasFields(request) ? withRequestJson(request, edit({ ...fieldsOf(request) }, request.method)) : request,
  )

/** Changes the response of the service. */
export const onResponse =
  (edit: (response: ProxyResponse, request: ProxyRequest) => ProxyResponse): BrokenServer['behave'] =>
  () =>
  async (request, send) =>
    edit(await send(request), request)

export const edits = (
  applies: (request: ProxyRequest) => boolean,
  edit: (json: Record<string, unknown>) => unknown,
) =>
  onResponse((response, request) =>
    applies(request) && response.status < 300 && response.text
      ? withJson(response, edit(Object(jsonOf(response))))
      : response,
  )

export const is = (name: string) => (request: ProxyRequest) => operationOf(request) === name
export const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
export const withText = (request: ProxyRequest, body: string): ProxyRequest => ({
  ...request,
  body: new TextEncoder().encode(body),
})
