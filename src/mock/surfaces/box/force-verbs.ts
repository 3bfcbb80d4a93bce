import { customAdvice } from '../../engine/custom-advice.js'
import { outcomeText, statusOf } from '../../engine/forced-text.js'
import type { Outcome } from '../../engine/outcomes.js'
import type { ListedTarget } from '../../engine/targets.js'
import { defaultTimes } from '../../state/limit-words.js'
import { refusePersona } from './persona-verbs.js'
import {
  type BoxContext,
  call,
  type Find,
  has,
  maxTargets,
  refuse,
  type Suggestion,
  targetsFor,
} from './suggestion.js'

/** The outcomes of a target, the rarest among all targets first; of equally rare ones, the last to be decided. */
export function outcomesBySpecialty({ outcomes }: ListedTarget, targets: readonly ListedTarget[]): Outcome[] {
  const shares = new Map<Outcome, number>()
  for (const target of targets)
    for (const outcome of target.outcomes) shares.set(outcome, (shares.get(outcome) ?? 0) + 1)
  const share = (outcome: Outcome) => (statusOf(outcome) === undefined ? 1e6 : (shares.get(outcome) ?? 0))
  return outcomes.every((outcome) => typeof outcome !== 'string' || statusOf(outcome) === undefined)
    ? [...outcomes]
    : outcomes.toReversed().sort((a, b) => share(a) - share(b))
}

const matchesOutcome = (outcome: Outcome, word: string): boolean =>
  String(statusOf(outcome) ?? outcome) === word ||
  (/^[2-5]\d?$/.test(word) && String(statusOf(outcome) ?? '').startsWith(word)) ||
  (word.length > 2 && String(outcome).toLowerCase().includes(word))

/** The outcomes of targets that all words are about, the best first. */
function pairsFor(words: readonly string[], { targets, selected }: BoxContext) {
  const status = words.find((word) => /^[2-5]\d\d$/.test(word))
  const pairs = targets.flatMap((target) => {
    const text = `${target.target} ${target.method} ${target.path}`.toLowerCase()
    const own = words.filter((word) => text.includes(word))
    const offered = outcomesBySpecialty(target, targets)
    const isMore = status !== undefined && typeof offered[0] === 'number' && !offered.includes(Number(status))
    return [...(isMore ? [Number(status)] : []), ...offered].flatMap((outcome, order) => {
      const ofOutcome = words.filter((word) => matchesOutcome(outcome, word))
      if (ofOutcome.length === 0) return []
      if (!words.every((word) => ofOutcome.includes(word) || own.includes(word))) return []
      const isSelected = target.target === selected?.target
      const named = words.filter((word) => target.target.toLowerCase().startsWith(word)).length
      const rank = (isSelected && own.length === 0 ? 100 : 0) + named * 10 + own.length
      return [{ target: target.target, outcome, rank, order }]
    })
  })
  return pairs.sort((a, b) => b.rank - a.rank || a.order - b.order).slice(0, maxTargets)
}

type Limits = { times: number | null; session?: string }

/** Both durations, the usual one first, and the first one for the persona that is signed in, unless another is named. */
function limitsFor(times: number | null | undefined, session: string | undefined, you?: string): Limits[] {
  const who = session === undefined ? {} : { session }
  const first = { times: times === undefined ? defaultTimes : times, ...who }
  const other = { times: first.times === null ? defaultTimes : null, ...who }
  const isNumber = first.times !== null && first.times > 1
  const own = you === undefined || session !== undefined ? [] : [{ ...first, session: you }]
  return [first, ...(isNumber ? [] : [other]), ...own]
}

export const force: Find = ({ rest, times, callers, unknownCaller }, context) => {
  const pairs = pairsFor(rest, context)
  if (pairs.length > 0 && unknownCaller !== undefined) return refusePersona(unknownCaller, context.personas)
  return pairs.flatMap(({ target, outcome }) =>
    callers.flatMap((session) =>
      limitsFor(times, session, context.you).map((limits) =>
        call('Force', 'setScenario', { target, outcome, ...limits }),
      ),
    ),
  )
}

/** Refuses a status that the operation of the other words cannot answer. */
export const refuseStatus: Find = ({ rest }, context) => {
  const [status, ...more] = rest.filter((word) => /^[1-5]\d\d$/.test(word))
  const others = rest.filter((word) => word !== status)
  if (status === undefined || more.length > 0 || others.length === 0) return []
  const [target] = targetsFor(others, context)
  return target
    ? refuse(`${target.target} cannot answer ${status}.${customAdvice(status)}`, target.outcomes.join(', '))
    : []
}

/** Starts a named scenario, or ends it, unless the command says which. */
export const scenario: Find = (
  { rest: [name = '', ...more], times, callers, unknownCaller, verb },
  context,
) => {
  const found = Object.entries(context.named).filter(
    ([each]) => more.length === 0 && name.length > 1 && each.startsWith(name),
  )
  if (found.length > 0 && unknownCaller !== undefined) return refusePersona(unknownCaller, context.personas)
  return callers.flatMap((session) =>
    found.map(([target, hint]) =>
      verb !== 'scenario set' && context.scenarios.some((each) => each.target === target)
        ? call('Scenario', 'clearScenarios', { target }, { hint })
        : call(
            'Scenario',
            'setScenario',
            { target, ...(times != null && { times }), ...(session !== undefined && { session }) },
            { hint },
          ),
    ),
  )
}

export const forceOrStart: Find = (sentence, context) => [
  ...scenario(sentence, context),
  ...force(sentence, context),
]

export const clear: Find = ({ words }, { scenarios }): Suggestion[] => {
  const isAbout = (name: string) =>
    words.length === 0 || (words.length === 1 && name.startsWith(words[0]?.toLowerCase() ?? ''))
  return [
    ...scenarios
      .filter(({ target }) => words.length > 0 && has(target, words))
      .map(({ target }) => call('Clear', 'clearScenarios', { target }, { hint: hintOf(target, scenarios) })),
    ...(isAbout('all') ? [call('Clear', 'clearScenarios')] : []),
    ...(isAbout('log') ? [call('Clear', 'clearLog')] : []),
  ]
}

/** What is forced on a target now. */
const hintOf = (target: string, scenarios: BoxContext['scenarios']): string | undefined => {
  const outcomes = scenarios.flatMap((each) =>
    each.target === target && each.outcome !== undefined ? [outcomeText(each.outcome)] : [],
  )
  return outcomes.length > 0 ? outcomes.join(', ') : undefined
}
