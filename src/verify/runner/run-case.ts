import type { Case, CaseContext, CaseRequest, Expectation, Pattern, ReceivedResponse } from '../cases/case.js'
import { describeRequest } from './discover.js'
import { checkInvariants } from './invariants.js'
import { createModel, isSame } from './model.js'
import { changesNothing, isRead } from './needs.js'
import { observe } from './observe.js'
import { type ResolvedRequest, resolveRequest, type Target } from './target.js'

/**
 * Runs a case against a target. Returns the violations, one sentence each; none if the case passes. A case ends with the
 * first step that has one.
 * @param onResponse called with each response, in the order of the requests
 * @throws what `send` throws, e.g. MissingDataError, or an error of the connection
 */
export async function runCase(
  target: Target,
  testCase: Case,
  onResponse: (request: CaseRequest, response: ReceivedResponse) => void = () => {},
): Promise<string[]> {
  const responses: ReceivedResponse[] = []
  const model = createModel(target.data)
  const isBesideOthers = testCase.addsOnly === true && !changesNothing(testCase)
  for (const entry of testCase.steps) {
    const concurrent = [entry].flat()
    const context: CaseContext = { data: model.data, responses: [...responses] }
    const requests = concurrent.map(({ request }) => resolve(request, context))
    // All of them are made before the first is sent.
    const resolved = requests.map((request) => resolveRequest(target, request))
    const received = await Promise.all(resolved.map(target.send))
    responses.push(...received)
    const isShared = isBesideOthers || (concurrent.length > 1 && !requests.every(isRead))
    const observed = requests.map((request, i) =>
      observe(request, resolved[i] as ResolvedRequest, received[i] as ReceivedResponse),
    )
    const faults = observed.flatMap((each, i) => {
      const { request, response, operation } = each
      onResponse(request, response)
      const expected = { status: operation?.success.status, ...resolve(concurrent[i]?.expect ?? {}, context) }
      const found = [...checkInvariants(target, each), ...differences(response, expected, context)]
      // Only a body of the right form is looked into.
      if (found.length === 0)
        found.push(...bodyDifferences(response, expected, context), ...model.differences(each, isShared))
      return found.map((fault) => `${describeRequest(request)}: ${fault}`)
    })
    // What follows depends on these responses.
    if (faults.length > 0) return faults
    model.change(observed)
  }
  return []
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
  const [now, before] = [response, context.responses[expected.sameAs ?? -1] ?? response].map(stable)
  if (!isSame(now, before)) yield `the response is ${now}, and was ${before}`
}

/** Headers that differ from response to response, or are of the connection or of a proxy. */
const volatile =
  /^(date|age|via|connection|keep-alive|server-timing|traceparent|.*request-id|.*correlation-id|.*ratelimit.*|cf-.*|x-amz.*)$/

/** What two responses to the same request have alike. */
const stable = ({ text, headers }: ReceivedResponse) => [
  text,
  Object.entries(headers)
    .filter(([name]) => !volatile.test(name))
    .sort(),
]

function* bodyDifferences(
  { json, text }: ReceivedResponse,
  { has }: Expectation,
  context: CaseContext,
): Generator<string> {
  const pattern = typeof has === 'function' ? has(context) : has
  if (pattern !== undefined && !matches(json, pattern))
    yield `the body is ${text.slice(0, 300)}, expected ${described(pattern)}`
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
