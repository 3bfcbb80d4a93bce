import { isDeepStrictEqual } from 'node:util'
import type { Case, ReceivedResponse } from '../../src/conformance/cases/case.js'
import { cases } from '../../src/conformance/cases/cases.js'
import { runCase } from '../../src/conformance/runner/run-case.js'
import { type SuiteTarget, skipReason } from '../../test/http-suite/run.js'
import { type ComparedTarget, normalizeResponse, noteCreated } from '../../test/http-suite/transcript.js'

/** Where the service runs; `seesCookies`: whether its client can read Set-Cookie. */
export type Environment = {
  name: string
  target: ComparedTarget & Pick<SuiteTarget, 'skipReason'>
  seesCookies: boolean
}

/** The result of a case in one environment. */
export type CaseOutcome = { faults: string[]; responses: unknown[] } | { skipped: string }

/** The results of a case in all environments of its mode, and the environments whose responses differ. */
export type Row = { testCase: Case; outcomes: Map<string, CaseOutcome>; differing: string[] }

/** Runs the cases in every environment and compares the responses. */
export async function runEverywhere(environments: Environment[]): Promise<Row[]> {
  const columns: { name: string; column: Map<Case, CaseOutcome> }[] = []
  for (const environment of environments) {
    const { mode } = environment.target
    const column = new Map<Case, CaseOutcome>()
    for (const testCase of cases) {
      if ((testCase.mode ?? mode) === mode) column.set(testCase, await runIn(environment, testCase))
    }
    columns.push({ name: environment.name, column })
  }
  return cases.map((testCase) => {
    const outcomes = new Map<string, CaseOutcome>()
    for (const { name, column } of columns) {
      const outcome = column.get(testCase)
      if (outcome) outcomes.set(name, outcome)
    }
    return { testCase, outcomes, differing: differing(testCase, outcomes) }
  })
}

async function runIn({ target, seesCookies }: Environment, testCase: Case): Promise<CaseOutcome> {
  const skipped = skipReason(target, testCase)
  if (skipped !== undefined) return { skipped }
  await target.reset()
  const responses: unknown[] = []
  const createdIds: string[] = []
  const faults = await runCase(target, testCase, ({ path, response }) => {
    noteCreated(response, createdIds)
    const { status, headers, body } = normalizeResponse(target, response, createdIds)
    // The pages outside of /v1/ differ between the modes.
    const compared = path.startsWith('/v1/') ? { headers, body } : { type: headers['content-type'] }
    responses.push({ status, ...compared, cookies: seesCookies ? cookieChange(response) : 'unseen' })
  })
  return { faults, responses }
}

/** Whether a response sets or clears the session cookie; values and attributes differ between the modes. */
const cookieChange = ({ headers }: ReceivedResponse): string =>
  (headers['set-cookie'] ?? '').replace(/^session=([^;]*).*$/, (_, value) => (value ? 'set' : 'cleared'))

/** The environments whose responses differ from the first one's, unless a case allows several responses. */
function differing({ steps }: Case, outcomes: Map<string, CaseOutcome>): string[] {
  const mayVary = (entry: Case['steps'][number]) =>
    Array.isArray(entry) || Array.isArray(Object(Object(entry).expect).status)
  if (steps.some(mayVary)) return []
  const run = [...outcomes].flatMap(([name, outcome]) =>
    'responses' in outcome ? [{ name, responses: outcome.responses }] : [],
  )
  const [first] = run
  return run
    .filter(
      ({ responses }) =>
        !isDeepStrictEqual(
          withSeenCookies(responses, first?.responses),
          withSeenCookies(first?.responses, responses),
        ),
    )
    .map(({ name }) => name)
}

/** The responses without the cookies that one of the two environments cannot see. */
const withSeenCookies = (responses: unknown[] = [], others: unknown[] = []) =>
  responses.map((response, i) =>
    [response, others[i]].some((either) => Object(either).cookies === 'unseen')
      ? { ...Object(response), cookies: '' }
      : response,
  )
