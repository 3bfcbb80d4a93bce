import { bundleCases } from '../../src/verify/cases/caller-cases.js'
import type { Case, Mode } from '../../src/verify/cases/case.js'
import { cases } from '../../src/verify/cases/cases.js'
import { projectCases } from '../../src/verify/cases/project-cases.js'
import { requestsOf } from '../../src/verify/runner/needs.js'
import type { Target } from '../../src/verify/runner/target.js'
import { changedResponses, kindOfRequest } from './changed-responses.js'
import type { Misbehaviour } from './misbehaviours/misbehaviour.js'
import { reasonFor } from './not-caught.js'
import {
  firstFailure,
  type Recording,
  record,
  replayFailure,
  requestsByCase,
  signaturesOf,
} from './run-broken.js'

export type Verdict = {
  mode: Mode
  /** The kind of response, or the misbehaviour. */
  name: string
  /** How responses of the kind are changed. */
  change?: string
  /** The first case that fails; undefined if none does. */
  caughtBy: string | undefined
  /** Why no case is expected to fail. */
  reason?: string
}

/**
 * Runs the verifier against the broken servers that are generated from the responses of a target.
 * @param every only every nth of them
 */
export async function verifyChangedResponses(target: Target, every = 1): Promise<Verdict[]> {
  const recordings: Recording[] = []
  for (const testCase of recordedCases(target.mode)) recordings.push(await record(target, testCase))
  const verdicts: Verdict[] = []
  let count = 0
  for (const kind of new Set(recordings.flatMap(({ kinds }) => [...kinds.keys()]))) {
    const chosen = recordingsFor(kind, recordings)
    const sample = chosen[0]?.kinds.get(kind)
    if (!sample) continue
    for (const { change, behave } of changedResponses(kind, sample)) {
      if (count++ % every !== 0) continue
      let caughtBy: string | undefined
      for (const recording of chosen) caughtBy ??= await replayFailure(target, recording, behave)
      const reason = reasonFor(kind, change)
      verdicts.push({
        mode: target.mode,
        name: kind,
        change,
        caughtBy,
        ...(reason !== undefined && { reason }),
      })
    }
  }
  return verdicts
}

/** The first case with a request of each operation, status and caller, and those of the bundle and the list. */
function recordedCases(mode: Mode): Case[] {
  const all = cases.filter((testCase) => (testCase.mode ?? mode) === mode)
  const seen = new Set<string>()
  return all.filter((testCase) => {
    const fresh = signaturesOf(testCase).filter((signature) => !seen.has(signature))
    for (const signature of fresh) seen.add(signature)
    return fresh.length > 0 || bundleCases.includes(testCase) || projectCases.includes(testCase)
  })
}

/** The recordings with responses of a kind: those whose case asks for it, short ones first, else a few others. */
function recordingsFor(kind: string, recordings: readonly Recording[]): Recording[] {
  const having = recordings
    .filter(({ kinds }) => kinds.has(kind))
    .sort((a, b) => a.testCase.steps.length - b.testCase.steps.length)
  const own = having.filter(({ testCase }) =>
    requestsOf(testCase).some((request) => kind.startsWith(kindOfRequest(request))),
  )
  return own.length > 0 ? own : having.slice(0, 3)
}

/**
 * Runs the verifier against broken servers that are described by what they do.
 * @param every only every nth of them
 */
export async function verifyMisbehaviours(
  targets: Record<Mode, Target>,
  all: readonly Misbehaviour[],
  every = 1,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const requests = {
    mock: await requestsByCase(targets.mock),
    production: await requestsByCase(targets.production),
  }
  for (const { name, tries, mode = 'mock', behave, notCaught } of all.filter((_, i) => i % every === 0)) {
    const target = targets[mode]
    const chosen =
      tries instanceof RegExp
        ? cases.filter(({ title, requirement }) => tries.test(`${title} (${requirement})`))
        : [...requests[mode]]
            .filter(([, sent]) => sent.some((request) => tries(request, target)))
            .map(([testCase]) => testCase)
    const caughtBy = chosen.length > 0 ? await firstFailure(target, chosen, behave(target)) : undefined
    await target.reset()
    verdicts.push({ mode, name, caughtBy, ...(notCaught !== undefined && { reason: notCaught }) })
  }
  return verdicts
}
