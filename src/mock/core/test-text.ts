import type { OperationName } from '../../contract/operations.js'
import { route } from '../../contract/route.js'
import { textOf } from '../../pages/curl-line.js'
import { unknownCookie } from './explain.js'
import { literal } from './fetch-call.js'
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

/** The lines of a test and its title; undefined if there can be none. */
type TestParts = { title: string; lines: string[] } | undefined

/**
 * A test for Vitest or Jest that sends a request as the same persona and with the same forced outcome, and expects the same
 * response: of an operation with the typed client, elsewhere with `fetch`. `api` is the client, `mock` the mock of the test.
 * @param call the call of `fetch`
 * @returns undefined if the client cannot send this request, or there was no response
 */
export function testOf(stored: StoredEntry, call: string): string | undefined {
  const parts = stored.kind === 'operation' ? clientTest(stored) : fetchTest(stored, call)
  if (!parts) return undefined
  const body = parts.lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}\n`).join('')
  return `it(${literal(parts.title)}, async () => {\n${body}})`
}

function clientTest({
  method,
  path,
  operation,
  status,
  code,
  session,
  forced,
  exchange,
}: StoredEntry): TestParts {
  const call = operation && calls[operation]
  const { request, response } = exchange
  if (!call || !response || method === 'HEAD') return undefined
  const body = request.body ? objectIn(request.body.content && textOf(request.body.content)) : {}
  const args = body && call.args(body, route(method, path).params?.projectId ?? '')
  if (!args) return undefined
  const { prefer } = request.headers
  if (prefer !== undefined) args.push({ headers: { prefer } })

  const persona = session ?? request.cookie
  const isSignedIn = persona !== undefined && persona !== unknownCookie && persona !== 'active'
  const replied = objectIn(textIfWhole(response.body))
  const custom = forced && 'response' in forced ? forced.response : undefined
  // The client throws for what the contract does not have. A body that was cut is not known.
  if (custom && (custom.unchecked || !replied)) return undefined
  const reply = custom ? { response: { status, body: replied } } : { outcome: code }
  const expected: JsonObject = {
    status,
    ...(replied && { body: without(replied, status === 201 ? volatileOfNew : volatile) }),
  }
  return {
    title: [`${operation}:`, status, code].filter(Boolean).join(' '),
    lines: [
      signIn(isSignedIn ? persona : undefined),
      ...(forced ? [force({ target: operation, ...reply })] : []),
      `expect(await api.${call.method}(${args.map(js).join(', ')})).toMatchObject(${js(expected)})`,
    ],
  }
}

function fetchTest({ target, status, session, forced, exchange }: StoredEntry, call: string): TestParts {
  if (!exchange.response) return undefined
  const json = jsonIn(textIfWhole(exchange.response.body))
  return {
    title: `${target}: ${status}`,
    lines: [
      signIn(session),
      ...(forced ? [force({ target, ...(forced as JsonObject) })] : []),
      `const response = ${call.trim().replace(/;$/, '')}`,
      `expect(response.status).toBe(${status})`,
      ...(json === undefined ? [] : [`expect(await response.json()).toEqual(${js(json)})`]),
    ],
  }
}

const signIn = (persona: string | undefined): string =>
  persona === undefined ? 'mock.session.signOut()' : `await mock.session.use(${literal(persona)})`

const force = (scenario: JsonObject): string => `await mock.scenarios.set(${js({ ...scenario, times: 1 })})`

const textIfWhole = (body: { length: number; content: string | undefined } | undefined) =>
  body?.content?.length === body?.length ? body?.content : undefined

function jsonIn(text: string | undefined): Json | undefined {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

function objectIn(text: string | undefined): JsonObject | undefined {
  const value = jsonIn(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
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
