import { unknownCookie } from '../state/personas.js'
import { literal } from './fetch-call.js'
import { type Json, js } from './js-literal.js'
import type { StoredEntry } from './log-entry.js'
import type { LoggedMessage } from './logged-exchange.js'

/** Fields that differ between runs of a test. A created record's id and time differ too. */
const volatile = ['docsUrl']
const volatileOfNew = [...volatile, 'id', 'createdAt']

/**
 * A test for Vitest or Jest that sends a request as the same persona and with the same forced outcome, and expects the same
 * response. `mock` is the mock of the test. @param call the call of `fetch`
 * @returns undefined if there was no response
 */
export function testOf(stored: StoredEntry, call: string): string | undefined {
  const { method, target, kind, status, code, session, forced, exchange } = stored
  const { request, response } = exchange
  if (!response) return undefined
  const persona = [session, request.cookie].find(
    (name) => name && name !== unknownCookie && name !== 'active',
  )
  const json = method === 'HEAD' ? undefined : jsonIn(response.body)
  const expected = kind === 'operation' ? without(json, status === 201 ? volatileOfNew : volatile) : json
  const lines = [
    persona ? `await mock.session.use(${literal(persona)})` : 'mock.session.signOut()',
    forced && `await mock.scenarios.set(${js({ target, ...forced, times: 1 } as Json)})`,
    `const response = ${call}`,
    `expect(response.status).toBe(${status})`,
    expected !== undefined &&
      `expect(await response.json()).${kind === 'operation' ? 'toMatchObject' : 'toEqual'}(${js(expected)})`,
  ]
  const body = lines.flatMap((line) => (line ? [`  ${line.replaceAll('\n', '\n  ')}\n`] : [])).join('')
  return `it(${literal([`${target}:`, status, code].filter(Boolean).join(' '))}, async () => {\n${body}})`
}

function jsonIn(body: LoggedMessage['body']): Json | undefined {
  try {
    return body?.text?.length === body?.length ? JSON.parse(body?.text ?? '') : undefined
  } catch {
    return undefined
  }
}

const without = (value: Json | undefined, names: readonly string[]): Json | undefined =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value).flatMap(([name, field]) =>
          names.includes(name) ? [] : [[name, without(field, names)]],
        ),
      )
