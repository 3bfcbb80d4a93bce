import * as z from 'zod'
import type { Answer, Case, Expected, Request, Seen, Step } from '../cases/case.js'
import { checkInvariants } from './invariants.js'
import { send, type Target } from './target.js'

/**
 * Plays a case against a target. Gives what was not as expected, one sentence each; nothing if all was.
 * @param onAnswer told of each answer, in the order of the requests
 */
export async function play(
  target: Target,
  { steps }: Case,
  onAnswer: (request: Request, answer: Answer) => void = () => {},
): Promise<string[]> {
  const answers: Answer[] = []
  const faults: string[] = []
  for (const entry of steps) {
    const concurrent = 'concurrent' in entry ? entry.concurrent : [entry]
    const seen: Seen = { mode: target.mode, world: target.world, answers: [...answers] }
    const requests = concurrent.map(({ request }) => given(request, seen))
    const received = await Promise.all(requests.map((request) => send(target, request)))
    answers.push(...received)
    for (const [i, request] of requests.entries()) {
      const [answer, expect] = [received[i] as Answer, (concurrent[i] as Step).expect]
      onAnswer(request, answer)
      const wrong = [
        ...differences(answer, given(expect, seen), seen),
        ...(await checkInvariants(target, request, answer)),
      ]
      faults.push(...wrong.map((fault) => `${nameOf(request)}: ${fault}`))
    }
  }
  return faults
}

function given<Value extends object>(value: Value | ((seen: Seen) => Value), seen: Seen): Value {
  return typeof value === 'function' ? value(seen) : value
}

const nameOf = ({ method, path, as }: Request) => `${method} ${path.slice(0, 80)} as ${as ?? 'nobody'}`

function* differences(answer: Answer, expected: Expected, seen: Seen): Generator<string> {
  const statuses = [expected.status].flat()
  if (!statuses.includes(answer.status)) {
    yield `status ${answer.status} in place of ${statuses.join(' or ')}: ${answer.text.slice(0, 300)}`
  }
  for (const [name, wanted] of Object.entries(expected.headers ?? {})) {
    const value = answer.headers[name]
    const fits = wanted instanceof RegExp ? wanted.test(value ?? '') : (value ?? null) === wanted
    if (!fits) yield `header ${name} is ${value ?? 'absent'} in place of ${wanted ?? 'none'}`
  }
  if (expected.text !== undefined && expected.text !== answer.text) {
    yield `the body is ${answer.text.slice(0, 300)} in place of ${expected.text.slice(0, 300)}`
  }
  if (expected.body) yield* bodyDifferences(answer, given(expected.body, seen))
}

function* bodyDifferences({ json, text }: Answer, wanted: object): Generator<string> {
  if (wanted instanceof z.ZodType) {
    const { error } = wanted.safeParse(json)
    if (error) yield `the body is not as it should be: ${z.prettifyError(error)}\n${text.slice(0, 300)}`
  } else if (canonical(json) !== canonical(wanted)) {
    yield `the body is ${text.slice(0, 300)} in place of ${canonical(wanted).slice(0, 300)}`
  }
}

/** JSON with the keys of objects in order: the order of keys means nothing. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? 'nothing'
