import * as z from 'zod'
import type { Case, CaseContext, CaseRequest, Expectation, ReceivedResponse, Step } from '../cases/case.js'
import { checkInvariants } from './invariants.js'
import { send, type Target } from './target.js'

/**
 * Runs a case against a target. Returns the violations, one sentence each; none if the case passes.
 * @param onResponse called with each response, in the order of the requests
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
    const requests = concurrent.map(({ request }) => resolve(request, context))
    const received = await Promise.all(requests.map((request) => send(target, request)))
    responses.push(...received)
    for (const [i, request] of requests.entries()) {
      const [response, { expect }] = [received[i] as ReceivedResponse, concurrent[i] as Step]
      onResponse(request, response)
      const found = [
        ...differences(response, resolve(expect, context), context),
        ...(await checkInvariants(target, request, response)),
      ]
      faults.push(...found.map((fault) => `${describe(request)}: ${fault}`))
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

const describe = ({ method, path, as }: CaseRequest) => `${method} ${path.slice(0, 80)} as ${as ?? 'nobody'}`

function* differences(
  response: ReceivedResponse,
  expected: Expectation,
  context: CaseContext,
): Generator<string> {
  const statuses = [expected.status].flat()
  if (!statuses.includes(response.status)) {
    yield `status ${response.status}, expected ${statuses.join(' or ')}: ${response.text.slice(0, 300)}`
  }
  for (const [name, expectedValue] of Object.entries(expected.headers ?? {})) {
    const value = response.headers[name]
    const matches =
      expectedValue instanceof RegExp ? expectedValue.test(value ?? '') : (value ?? null) === expectedValue
    if (!matches) yield `header ${name} is ${value ?? 'absent'}, expected ${expectedValue ?? 'none'}`
  }
  if (expected.text !== undefined && expected.text !== response.text) {
    yield `the body is ${response.text.slice(0, 300)}, expected ${expected.text.slice(0, 300)}`
  }
  if (expected.body) yield* bodyDifferences(response, resolve(expected.body, context))
}

function* bodyDifferences({ json, text }: ReceivedResponse, expected: object): Generator<string> {
  if (expected instanceof z.ZodType) {
    const { error } = expected.safeParse(json)
    if (error) yield `the body is not as expected: ${z.prettifyError(error)}\n${text.slice(0, 300)}`
  } else if (canonical(json) !== canonical(expected)) {
    yield `the body is ${text.slice(0, 300)}, expected ${canonical(expected).slice(0, 300)}`
  }
}

/** JSON with sorted keys: the order of an object's keys is not compared. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? 'nothing'
