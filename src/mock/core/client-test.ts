import type { OperationName } from '../../contract/operations.js'
import { route } from '../../contract/route.js'
import { textOf } from '../../pages/curl-line.js'
import { literal } from '../../pages/fetch-call.js'
import { unknownCookie } from './explain.js'
import { type Json, js } from './js-literal.js'
import type { StoredEntry } from './request-log.js'

type JsonObject = { [field: string]: Json | undefined }

/** The method of the typed client for each operation, and its arguments. Undefined if they cannot be passed to it. */
const calls: Partial<
  Record<OperationName, { method: string; args(body: JsonObject, id: string): Json[] | undefined }>
> = {
  createProject: { method: 'projects.create', args: (body) => [body] },
  listProjects: { method: 'projects.list', args: () => [] },
  updateProject: { method: 'projects.update', args: (body, id) => [id, body] },
  getSession: { method: 'session.get', args: () => [] },
  joinWaitlist: {
    method: 'waitlist.join',
    args: ({ email, ...others }) =>
      email === undefined || Object.keys(others).length > 0 ? undefined : [email],
  },
}

/** What another run of the same test does not get again. */
const volatile: readonly string[] = ['docsUrl']
const volatileOfNew: readonly string[] = [...volatile, 'id', 'createdAt']

/**
 * A test for Vitest or Jest that sends a request with the typed client, as the same persona and with the same forced
 * outcome, and expects the same response. `api` is the client, `mock` the mock of the test.
 * @returns undefined if the client cannot send this request, or there was no response
 */
export function clientTest({
  method,
  path,
  operation,
  status,
  code,
  session,
  forced,
  exchange,
}: StoredEntry) {
  const call = operation && calls[operation]
  const { request, response } = exchange
  if (!call || !response || method === 'HEAD') return undefined
  const body = request.body ? parseObject(request.body.content && textOf(request.body.content)) : {}
  const args = body && call.args(body, route(method, path).params?.projectId ?? '')
  if (!args) return undefined
  const { prefer } = request.headers
  if (prefer !== undefined) args.push({ headers: { prefer } })

  const persona = session ?? request.cookie
  const signIn =
    persona === undefined || persona === unknownCookie || persona === 'active'
      ? 'mock.session.signOut()'
      : `await mock.session.use(${literal(persona)})`
  const replied = parseObject(textIfWhole(response.body))
  const custom = forced && 'response' in forced ? forced.response : undefined
  // The client throws for what the contract does not have. A body that was cut is not known.
  if (custom && (custom.unchecked || !replied)) return undefined
  const reply = custom ? { response: { status, body: replied } } : { outcome: code }
  const arrange = forced ? [`await mock.scenarios.set(${js({ target: operation, ...reply, times: 1 })})`] : []
  const expected: JsonObject = {
    status,
    ...(replied && { body: without(replied, status === 201 ? volatileOfNew : volatile) }),
  }
  const lines = [
    signIn,
    ...arrange,
    `expect(await api.${call.method}(${args.map((arg) => js(arg)).join(', ')})).toMatchObject(${js(expected)})`,
  ]
  const title = [`${operation}:`, status, code].filter(Boolean).join(' ')
  return `it(${literal(title)}, async () => {\n${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}\n`).join('')}})`
}

const textIfWhole = (body: { length: number; content: string | undefined } | undefined) =>
  body?.content?.length === body?.length ? body?.content : undefined

function parseObject(text: string | undefined): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function without(value: JsonObject, names: readonly string[]): JsonObject {
  const fields = Object.entries(value).filter(([name]) => !names.includes(name))
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      typeof field === 'object' && field !== null && !Array.isArray(field) ? without(field, names) : field,
    ]),
  )
}
