import { literal } from '../../pages/fetch-call.js'
import { type Json, js } from './js-literal.js'
import type { StoredEntry } from './request-log.js'

/**
 * A test for Vitest or Jest that sends a request with `fetch`, as the same persona and with the same forced outcome, and
 * expects the same response. `mock` is the mock of the test.
 * @param call the call of `fetch`
 * @returns undefined if there was no response
 */
export function handlerTest({ target, status, session, forced, exchange }: StoredEntry, call: string) {
  const { response } = exchange
  if (!response) return undefined
  const json = jsonOf(response.body)
  const lines = [
    session === undefined ? 'mock.session.signOut()' : `await mock.session.use(${literal(session)})`,
    ...(forced ? [`await mock.scenarios.set(${js({ target, ...(forced as object), times: 1 })})`] : []),
    `const response = ${call.trim().replace(/;$/, '')}`,
    `expect(response.status).toBe(${status})`,
    ...(json === undefined ? [] : [`expect(await response.json()).toEqual(${js(json)})`]),
  ]
  const body = lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}\n`).join('')
  return `it(${literal(`${target}: ${status}`)}, async () => {\n${body}})`
}

/** The value of a whole JSON body. */
function jsonOf(body: { length: number; content: string | undefined } | undefined): Json | undefined {
  if (body?.content?.length !== body?.length) return undefined
  try {
    return JSON.parse(body?.content ?? '')
  } catch {
    return undefined
  }
}
