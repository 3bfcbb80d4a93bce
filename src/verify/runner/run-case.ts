import * as z from 'zod'
import { canonicalJson } from '../cases/canonical-json.js'
import type {
  Case,
  CaseContext,
  CaseRequest,
  Expectation,
  Pattern,
  ReceivedResponse,
  Step,
} from '../cases/case.js'
import { describeRequest } from './describe-request.js'
import { checkInvariants } from './invariants.js'
import { type ResolvedRequest, resolveRequest, type Target } from './target.js'

/**
 * Runs a case against a target. Returns the violations, one sentence each; none if the case passes. A case ends early
 * if an earlier response lacks what a step needs.
 * @param onResponse called with each response, in the order of the requests
 * @throws what `send` throws, e.g. MissingDataError, or an error of the connection
 */
export async function runCase(
  target: Target,
  { steps }: Case,
  onResponse: (request: CaseRequest, response: ReceivedResponse) => void = () => {},
): Promise<string[]> {
  const responses: ReceivedResponse[] = []
  const faults: string[] = []
  for (const entry of steps) {
    const concurrent = 'concurrent' in entry ? entry.concurrent : [entry]
    const context: CaseContext = { mode: target.mode, data: target.data, responses: [...responses] }
    try {
      const requests = concurrent.map(({ request }) => resolve(request, context))
      // All of them are made before the first is sent.
      const resolved = requests.map((request) => resolveRequest(target, request))
      const received = await Promise.all(resolved.map(target.send))
      responses.push(...received)
      for (const [i, request] of requests.entries()) {
        const response = received[i] as ReceivedResponse
        const expected = resolve((concurrent[i] as Step).expect, context)
        onResponse(request, response)
        const found = [
          ...checkInvariants(target, request, resolved[i] as ResolvedRequest, response),
          ...differences(response, expected, context),
        ]
        // Only a body of the right form is looked into.
        if (found.length === 0) found.push(...bodyDifferences(response, expected, context))
        faults.push(...found.map((fault) => `${describeRequest(request)}: ${fault}`))
      }
    } catch (error) {
      if (error instanceof z.ZodError) {
        return [...faults, `an earlier response is not as expected: ${z.prettifyError(error)}`]
      }
      if (faults.length > 0) return faults
      throw error
    }
  }
  return faults
}

function resolve<Value extends object>(
  value: Value | ((context: CaseContext) => Value),
  context: CaseContext,
): Value {
  return typeof value === 'function' ? value(context) : value
}

function* differences(
  response: ReceivedResponse,
  expected: Expectation,
  context: CaseContext,
): Generator<string> {
  const statuses = [expected.status ?? response.status].flat()
  if (!statuses.includes(response.status)) {
    yield `status ${response.status}, expected ${statuses.join(' or ')}: ${response.text.slice(0, 300)}`
  }
  for (const [name, pattern] of Object.entries(expected.headers ?? {})) {
    const value = response.headers[name] ?? null
    if (!matches(value, pattern)) yield `header ${name} is ${value}, expected ${pattern}`
  }
  if (expected.sameAs !== undefined) yield* deviations(response, context.responses[expected.sameAs])
}

/** Headers that differ from response to response, or are of the connection or of a proxy. */
const volatile =
  /^(date|age|via|connection|keep-alive|server-timing|traceparent|.*request-id|.*correlation-id|.*ratelimit.*|cf-.*|x-amz.*)$/

/** How a response differs from an earlier one that it must be the same as. */
function* deviations(response: ReceivedResponse, earlier: ReceivedResponse | undefined): Generator<string> {
  if (!earlier) return
  if (response.text !== earlier.text) {
    yield `the body is ${response.text.slice(0, 300)}, and was ${earlier.text.slice(0, 300)}`
  }
  for (const name of new Set([...Object.keys(response.headers), ...Object.keys(earlier.headers)])) {
    const [now, before] = [response.headers[name], earlier.headers[name]]
    if (now !== before && !volatile.test(name))
      yield `header ${name} is ${now ?? 'absent'}, and was ${before ?? 'absent'}`
  }
}

function* bodyDifferences(
  { json, text }: ReceivedResponse,
  { body, has, expected }: Expectation,
  context: CaseContext,
): Generator<string> {
  const whole = canonicalJson(body && resolve(body, context))
  if (body && canonicalJson(json) !== whole)
    yield `the body is ${text.slice(0, 300)}, expected ${whole.slice(0, 300)}`
  const pattern = typeof has === 'function' ? has(context) : has
  if (pattern !== undefined && !matches(json, pattern))
    yield `the body is ${text.slice(0, 300)}, ${expected ?? `expected ${JSON.stringify(pattern)}`}`
}

function matches(value: unknown, pattern: Pattern): boolean {
  if (typeof pattern === 'function') return pattern(value as never)
  if (pattern instanceof RegExp) return pattern.test(`${value ?? ''}`)
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  return Object.entries(pattern).every(([key, part]) => matches(Object(value)[key], part))
}
