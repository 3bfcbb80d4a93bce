import { route } from '../../src/contract/route.js'
import type { Case, Persona } from '../../src/verify/cases/case.js'
import { cases } from '../../src/verify/cases/cases.js'
import { personas } from '../../src/verify/cases/test-data.js'
import { DeploymentError } from '../../src/verify/runner/discover.js'
import { isReadOnly, requestsOf } from '../../src/verify/runner/needs.js'
import { runCase } from '../../src/verify/runner/run-case.js'
import type { Target } from '../../src/verify/runner/target.js'
import { verify } from '../../src/verify/runner/verify-service.js'
import { type Behaviour, type ProxyRequest, type ProxyResponse, proxySend } from './broken-server-proxy.js'
import { kindOf, type Sample } from './changed-responses.js'

/** What a server without faults has answered while a case ran. */
export type Recording = { testCase: Case; kinds: ReadonlyMap<string, Sample>; replay: () => Behaviour }

/** Runs a case against a server without faults, from opening it to cleaning up, and records the responses. */
export async function record(target: Target, testCase: Case): Promise<Recording> {
  const recorded = new Map<string, ProxyResponse[]>()
  const kinds = new Map<string, Sample>()
  const failure = await firstFailure(target, [testCase], async (request, send) => {
    const response = await send(request)
    recorded.set(keyOf(request), [...(recorded.get(keyOf(request)) ?? []), response])
    const sample = { method: request.method, path: request.path, response }
    kinds.set(kindOf(sample), sample)
    return response
  })
  if (failure !== undefined) throw new Error(`A server without faults fails: ${failure}`)
  return {
    testCase,
    kinds,
    replay() {
      const counts = new Map<string, number>()
      return async (request, live) => {
        const key = keyOf(request)
        const responses = recorded.get(key)
        const count = counts.get(key) ?? 0
        counts.set(key, count + 1)
        // A change may lead to other requests.
        return responses?.length
          ? structuredClone(responses[Math.min(count, responses.length - 1)] as ProxyResponse)
          : live(request)
      }
    },
  }
}

const keyOf = ({ method, path, headers, body }: ProxyRequest) =>
  JSON.stringify([
    method,
    path,
    headers.filter(([name]) => /^(cookie|content-type)$/i.test(name)),
    new TextDecoder('latin1').decode(body),
  ])

/** Runs a recorded case against the recorded responses, changed. Returns the first failure, if any. */
export const replayFailure = (target: Target, { testCase, replay }: Recording, behave: Behaviour) => {
  const send = replay()
  return firstFailure(target, [testCase], (request, live) => behave(request, (sent) => send(sent, live)))
}

/**
 * The title of the first of these cases that fails against a server that behaves so, or why the verifier does not
 * start; undefined if all pass.
 */
export async function firstFailure(
  target: Target,
  chosen: readonly Case[],
  behave: Behaviour,
): Promise<string | undefined> {
  const write = !chosen.every(isReadOnly)
  const callers = chosen.flatMap(requestsOf).flatMap(({ as }) => as ?? [])
  const needed = new Set<Persona>(['acme-owner', 'globex-owner', ...callers])
  let failure: string | undefined
  const stop = new AbortController()
  try {
    await verify(
      {
        url: target.baseUrl,
        cookies: new Map(personas.filter((as) => needed.has(as)).map((as) => [as, target.cookieOf(as)])),
        write,
        interfaceOnly: target.interfaceOnly ?? false,
        groups: [{ name: 'chosen', cases: chosen }],
        signal: stop.signal,
        send: proxySend(target, behave),
      },
      {
        onResult({ title, outcome }) {
          if (outcome !== 'failed') return
          failure ??= title
          stop.abort()
        },
      },
    )
  } catch (error) {
    if (!(error instanceof DeploymentError)) throw error
    failure ??= `does not start: ${error.message}`
  }
  return failure
}

/** The requests of a case by their operation, the status that they expect, and their caller. */
export const signaturesOf = (testCase: Case): string[] =>
  requestsOf(testCase).map(({ method, path, as, expect }) => {
    const { operation, allow } = route(method, path)
    const where = allow?.length ? `not ${allow}` : path.split('/')[1]
    return [method, operation ?? where, as, Object(expect).status].join()
  })

/** The requests of each case that can be run against a target, which is reset for each. */
export async function requestsByCase(target: Target): Promise<Map<Case, ProxyRequest[]>> {
  const byCase = new Map<Case, ProxyRequest[]>()
  for (const testCase of cases) {
    if ((testCase.mode ?? target.mode) !== target.mode) continue
    const sent: ProxyRequest[] = []
    const send = proxySend(target, (request, forward) => {
      sent.push(request)
      return forward(request)
    })
    await target.reset()
    const faults = await runCase({ ...target, send }, testCase)
    if (faults.length > 0) throw new Error(`A server without faults fails: ${testCase.title}: ${faults[0]}`)
    byCase.set(testCase, sent)
  }
  await target.reset()
  return byCase
}
