import type { OperationName } from '../../../src/contract/operations.js'
import { jsonOf, type ProxyRequest, type ProxyResponse, type Send, withJson } from '../broken-server-proxy.js'
import {
  type Context,
  cookieOf,
  fieldsOf,
  is,
  type Misbehaviour,
  type Project,
  withCookie,
} from '../misbehaviours/misbehaviour.js'

// Servers that answer as they should, except where a request meets a condition.

export type When = (request: ProxyRequest, context: Context) => boolean

/** What such a server does with a request that meets the condition. */
export type Effect = (
  request: ProxyRequest,
  send: Send,
  context: Context,
) => ProxyResponse | Promise<ProxyResponse>

/** A server that has an effect on the requests that meet a condition. The cases with such a request are tried. */
export const mutant = (
  name: string,
  when: When,
  effect: Effect,
  more: Pick<Misbehaviour, 'mode' | 'notCaught'> = {},
): Misbehaviour => ({
  name,
  tries: when,
  behave: (context) => async (request, send) =>
    when(request, context) ? effect(request, send, context) : send(request),
  ...more,
})

/** Sends requests, and knows whether one of a kind is under way. */
export function countRunning(isCounted: (request: ProxyRequest) => boolean) {
  let running = 0
  return {
    isRunning: () => running > 0,
    async send(request: ProxyRequest, send: Send): Promise<ProxyResponse> {
      if (!isCounted(request)) return send(request)
      running += 1
      try {
        return await send(request)
      } finally {
        running -= 1
      }
    },
  }
}

/** A server with a state of its own, that is tried with the cases that have such a request. */
export const stateful = (name: string, tries: When, behave: Misbehaviour['behave']): Misbehaviour => ({
  name,
  tries,
  behave,
})

export const both =
  (...conditions: When[]): When =>
  (request, context) =>
    conditions.every((condition) => condition(request, context))

export const header = ({ headers }: ProxyRequest, name: string) =>
  headers.find(([other]) => other.toLowerCase() === name)?.[1]

export const isChange = (request: ProxyRequest, _context?: Context) =>
  is('createProject')(request) || is('updateProject')(request)
export const isRead = (request: ProxyRequest, _context?: Context) =>
  is('listProjects')(request) || is('getSession')(request)

/** Whether a request has a header that matches. */
export const sends =
  (name: string, pattern = /./): When =>
  (request) =>
    pattern.test(header(request, name) ?? '')

/** The text of a field of the body; empty if it has none. */
export function field(request: ProxyRequest, name: string): string {
  const value = fieldsOf(request)[name]
  return typeof value === 'string' ? value : ''
}

export const query = ({ path }: ProxyRequest) => new URL(path, 'http://service').searchParams
export const pathOf = ({ path }: ProxyRequest) => path.split('?', 1)[0] ?? ''
/** The value of the session cookie. */
export const sessionOf = (request: ProxyRequest) => cookieOf(request)?.match(/^session=([^;]*)$/)?.[1]

/** Answers as if another caller had asked. */
export const asCaller =
  (persona: Parameters<Context['cookieOf']>[0]): Effect =>
  (request, send, context) =>
    send(withCookie(request, context.cookieOf(persona)))

/** Answers with another status. */
export const withStatus =
  (status: number): Effect =>
  async (request, send) => ({ ...(await send(request)), status })

/** Answers with another header, or with none. */
export const withHeader =
  (name: string, value?: string): Effect =>
  async (request, send) => {
    const response = await send(request)
    const { [name]: _, ...headers } = response.headers
    return { ...response, headers: value === undefined ? headers : { ...headers, [name]: value } }
  }

/** Changes the JSON of a success. */
export const editing =
  (edit: (json: Record<string, unknown>) => unknown): Effect =>
  async (request, send) => {
    const response = await send(request)
    return response.status < 300 && response.text !== ''
      ? withJson(response, edit(Object(jsonOf(response))))
      : response
  }

/** Changes the list of projects of a response that has one. */
export const onProjects = (edit: (projects: Project[]) => Project[]): Effect =>
  editing((json) =>
    Array.isArray(json.projects) ? { ...json, projects: edit(json.projects as Project[]) } : json,
  )

/** Changes the project of a response that has one. */
export const onProject = (edit: (project: Project) => object): Effect =>
  editing((json) => (json.project ? { ...json, project: edit(json.project as Project) } : json))

export const reads: OperationName[] = ['listProjects', 'getSession']
export const changes: OperationName[] = ['createProject', 'updateProject']
export const allOperations: OperationName[] = [...reads, ...changes, 'joinWaitlist']
export { is }
