import type { Case, CaseContext, Expectation, Pattern, ReceivedResponse, Step } from '../cases/case.js'
import { words } from '../cases/steps.js'
import { describeRequest } from './discover.js'
import { checkInvariants } from './invariants.js'
import { createModel } from './model.js'
import { isRead, requestsOf } from './needs.js'
import { type Observed, observe } from './observe.js'
import { type ResolvedRequest, resolveRequest, type Target } from './target.js'

/**
 * Runs a case against a target. Returns the violations, one sentence each; none if the case passes. A case ends with the
 * first step that has one.
 * @param onResponse called with each response, in the order of the requests
 * @throws what `send` throws, e.g. an error of the connection; MissingDataError, before the first request if it needs
 *   what the target was not given
 */
export async function runCase(
  target: Target,
  testCase: Case,
  onResponse: (observed: Observed) => void = () => {},
): Promise<string[]> {
  const responses: ReceivedResponse[] = []
  const model = createModel(target.data)
  const known = new Map<Step, ResolvedRequest>()
  for (const step of requestsOf(testCase)) known.set(step, resolveRequest(target, step))
  for (const entry of testCase.steps) {
    const context: CaseContext = { data: model.data, responses: [...responses] }
    const steps = [entry].flat().map((step) => resolve(step, context))
    // All of them are made before the first is sent.
    const sent = steps.map((step) => known.get(step) ?? resolveRequest(target, step))
    const received = await Promise.all(sent.map((request) => target.send(request)))
    responses.push(...received)
    const isShared = steps.length > 1 && !steps.every(isRead)
    const observed = steps.map((step, i) =>
      observe(step, sent[i] as ResolvedRequest, received[i] as ReceivedResponse),
    )
    const faults = observed.flatMap((each, i) => {
      onResponse(each)
      const { request, response, operation } = each
      const expected = { status: operation?.success.status, ...resolve(steps[i]?.expect ?? {}, context) }
      const found = [...checkInvariants(target, each), ...differences(response, expected, context)]
      // Only a body of the right form is looked into.
      if (found.length === 0)
        found.push(...bodyDifferences(response, expected), ...model.differences(each, isShared))
      return found.map((fault) => `${describeRequest(request)}${describeBody(each)}: ${fault}`)
    })
    // What follows depends on these responses.
    if (faults.length > 0) return faults
    model.change(observed)
  }
  return []
}

/** What tells a request from others of its case: as the case has it, without the session that a body may have. */
const describeBody = ({ request: { json, bytes } }: Observed): string => {
  const body = json === undefined ? bytes : JSON.stringify(json)
  return body === undefined ? '' : ` with ${JSON.stringify(`${body.slice(0, 80)}`)}`
}

type Later<Value> = Value | ((context: CaseContext) => Value)
const resolve = <Value extends object>(value: Later<Value>, context: CaseContext): Value =>
  typeof value === 'function' ? value(context) : value

function* differences(
  response: ReceivedResponse,
  expected: Expectation,
  context: CaseContext,
): Generator<string> {
  const statuses = [expected.status ?? response.status].flat()
  if (!statuses.includes(response.status))
    yield `status ${response.status}, expected ${statuses.join(' or ')}: ${response.text.slice(0, 300)}`
  for (const [name, pattern] of Object.entries(expected.headers ?? {})) {
    const value = response.headers[name] ?? null
    if (!matches(value, pattern)) yield `header ${name} is ${value}, expected ${pattern}`
  }
  const before = context.responses[expected.sameAs ?? -1]
  if (before && stable(before) !== stable(response))
    yield `the response is ${stable(response)}, and was ${stable(before)}`
}

/** Headers that differ from response to response, or are of the connection or of a proxy. */
const volatile =
  words(`date age via connection keep-alive server-timing report-to traceparent cf-.* x-amz.* x-envoy-.*
  x-kong-.* x-cache x-cache-hits x-served-by x-timer x-runtime x-response-time x-azure-ref x-vercel-id
  x-cloud-trace-context .*request-id .*correlation-id .*ratelimit.*`).map((name) => new RegExp(`^${name}$`))

/** What two responses to the same request have alike; of cookies, which balancers set, the names. */
const stable = ({ text, headers }: ReceivedResponse): string => {
  const constant = { ...headers, 'set-cookie': headers['set-cookie']?.replace(/=[^;]*/g, '') ?? '' }
  const entries = Object.entries(constant).filter(([name]) => !volatile.some((each) => each.test(name)))
  return `${text} ${entries.sort().join()}`
}

function* bodyDifferences({ json, text }: ReceivedResponse, { has }: Expectation): Generator<string> {
  if (has && !matches(json, has)) yield `the body is ${text.slice(0, 300)}, expected ${described(has)}`
}

/** A pattern in a message. */
const described = (pattern: Pattern): string =>
  JSON.stringify(pattern, (_, part) =>
    typeof part === 'function' || part instanceof RegExp ? `${part}` : part,
  )

function matches(value: unknown, pattern: Pattern): boolean {
  if (typeof pattern === 'function') return pattern(value as never)
  if (pattern instanceof RegExp) return pattern.test(`${value ?? ''}`)
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  return Object.entries(pattern).every(([key, part]) => matches(Object(value)[key], part))
}
