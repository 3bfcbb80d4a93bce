import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { ReceivedResponse, Case } from '../../src/verify/cases/case.js'
import { cases } from '../../src/verify/cases/cases.js'
import { unsupportedReason } from '../../src/verify/runner/needs.js'
import { runCase } from '../../src/verify/runner/run-case.js'
import type { SuiteTarget } from '../../test/http-suite/run.js'
import { call } from '../../test/http-suite/sequences.js'
import { normalizeResponse, type ComparedTarget, transcript } from '../../test/http-suite/transcript.js'

export type Environment = { name: string; side: ComparedTarget & Pick<SuiteTarget, 'cannotPlay'>; seesCookies: boolean }

/** What came of a case in one place. */
export type CaseOutcome = { faults: string[]; answers: unknown[] } | { skipped: string }

/** A case in every place of its mode, and where its answers were not those of the first place that played it. */
export type Row = { one: Case; played: Map<string, CaseOutcome>; unlike: string[] }

/** Plays the table of cases in every place, and compares the answers. */
export async function runEverywhere(places: Environment[]): Promise<Row[]> {
  const columns = await Promise.all(
    places.map(async (place) => {
      const column = new Map<Case, CaseOutcome>()
      for (const one of cases) {
        if ((one.mode ?? place.side.mode) === place.side.mode) column.set(one, await playIn(place, one))
      }
      return { place, column }
    }),
  )
  return cases.map((one) => {
    const played = new Map<string, CaseOutcome>()
    for (const { place, column } of columns) {
      const outcome = column.get(one)
      if (outcome) played.set(place.name, outcome)
    }
    return { one, played, unlike: unlike(one, played) }
  })
}

async function playIn({ side, seesCookies }: Environment, one: Case): Promise<CaseOutcome> {
  const skipped = unsupportedReason(one, side) ?? side.cannotPlay?.(one)
  if (skipped !== undefined) return { skipped }
  await side.reset()
  const answers: unknown[] = []
  const made: string[] = []
  const faults = await runCase(side, one, ({ path }, answer) => {
    const { project } = Object(answer.json) as { project?: { id: string } }
    if (answer.status === 201 && project) made.push(project.id)
    const { status, headers, body } = normalizeResponse(side, answer, made)
    // The pages outside of /v1/ are each mode's own.
    const own = { type: headers['content-type'] }
    const compared = path.startsWith('/v1/') ? { headers, body } : own
    answers.push({ status, ...compared, cookies: seesCookies ? cookies(answer) : 'unseen' })
  })
  return { faults, answers }
}

/** Whether an answer sets the session cookie or takes it away; values and attributes are the mode's own. */
const cookies = ({ headers }: ReceivedResponse): string =>
  (headers['set-cookie'] ?? '').replace(/^session=([^;]*).*$/, (_, value) => (value ? 'set' : 'cleared'))

/** The places whose answers differ from the first one's, where there is one answer alone that is right. */
function unlike({ steps }: Case, played: Map<string, CaseOutcome>): string[] {
  if (steps.some((entry) => 'concurrent' in entry || Array.isArray(Object(entry.expect).status))) return []
  const answered = [...played].flatMap(([name, outcome]) =>
    'answers' in outcome ? [{ name, answers: outcome.answers }] : [],
  )
  const [first] = answered
  return answered
    .filter(({ answers }) => !isDeepStrictEqual(seen(answers, first?.answers), seen(first?.answers, answers)))
    .map(({ name }) => name)
}

/** Answers without the cookies that the other place did not see. */
const seen = (answers: unknown[] = [], others: unknown[] = []) =>
  answers.map((answer, i) =>
    [answer, others[i]].some((one) => Object(one).cookies === 'unseen')
      ? { ...Object(answer), cookies: '' }
      : answer,
  )

export type Sequences = { count: number; calls: number; seed: number; unlike: string[] }

/** Makes the same generated sequences of calls in every place, and compares answers and what is stored. */
export async function sequencesEverywhere(places: Environment[], count: number, seed: number): Promise<Sequences> {
  const sequences = fc.sample(fc.array(call, { minLength: 1, maxLength: 12 }), { numRuns: count, seed })
  const columns = await Promise.all(
    places.map(async ({ name, side }) => {
      const transcripts: unknown[] = []
      for (const calls of sequences) {
        await side.reset()
        transcripts.push(await transcript(side, calls))
      }
      return { name, transcripts }
    }),
  )
  const [first] = columns
  return {
    count,
    seed,
    calls: sequences.reduce((sum, calls) => sum + calls.length, 0),
    unlike: columns
      .filter(({ transcripts }) => !isDeepStrictEqual(transcripts, first?.transcripts))
      .map(({ name }) => name),
  }
}
