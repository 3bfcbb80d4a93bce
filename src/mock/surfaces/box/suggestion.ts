import type { ControlName } from '../../controls/control-endpoints.js'
import { willDo } from '../../controls/control-words.js'
import type { Scenario } from '../../engine/scenarios.js'
import type { ListedTarget } from '../../engine/targets.js'
import type { LogEntry } from '../../log/log-entry.js'
import type { Persona } from '../../state/listed-personas.js'
import { commandLine } from './command-line.js'
import type { FoundRecord } from './found-record.js'
import type { Sentence } from './sentence.js'

/** The current state of a mock. */
export type BoxContext = {
  targets: readonly ListedTarget[]
  personas: readonly Persona[]
  /** The persona that is signed in here. */
  you?: string
  /** Oldest first. */
  entries: readonly LogEntry[]
  scenarios: readonly Scenario[]
  /** The named scenarios with their descriptions. */
  named: Readonly<Record<string, string>>
  snapshots: readonly string[]
  records: readonly FoundRecord[]
  /** The space of these, unless it is the common one. */
  space?: string
  /** Whether the mock runs in a page, and has no spaces. */
  isInPage?: boolean
  history: { undo?: { title: string }; redo?: { title: string }; rewindableFrom?: number }
  /** The selected request. Words without an operation are about its operation. */
  selected?: LogEntry
}

/** The action of a suggestion: a call of a control, or a view to show. */
export type BoxAction =
  | { control: ControlName; input: Record<string, unknown> }
  | { show: 'request'; id: number }
  | { show: 'handler'; target: string }
  | { show: 'record'; record: FoundRecord; field?: string }
  /** Something that a page alone does. */
  | { page: 'copy' }
  | { page: 'download'; from: 'exportHandlers' | 'exportState'; name: string }
  /** Without a name, to the common space. */
  | { page: 'space'; name?: string }

export type Suggestion = {
  group: string
  /** The result of Enter. */
  text: string
  /** A hint: a caller, a time, the found record, or why the box does not do it. */
  hint?: string
  /** Absent if the words are refused: the text says why. */
  action?: BoxAction
  /** The equivalent command of `npx dashboard-api`. */
  command?: string
}

/** Suggests actions for a sentence. */
export type Find = (sentence: Sentence, context: BoxContext) => Suggestion[]

export const maxTargets = 4
export const maxFound = 5

/** Says why the words do nothing. */
export const refuse = (text: string, possible?: string): Suggestion[] => [
  { group: 'Not possible', text, hint: possible && `possible: ${possible}` },
]

/** Words that the mock would pass over are refused: they may be what the user means. */
export const refuseMore = (words: readonly string[], usage?: string): Suggestion[] =>
  refuse(`"${words.join(' ')}" is not understood here.`, usage)

/** A call of a control, in its own words. */
export const call = (
  group: string,
  control: ControlName,
  input: Record<string, unknown> = {},
  { hint, ...facts }: { hint?: string | undefined; name?: string; title?: string } = {},
): Suggestion => ({
  group,
  text: willDo(control, input, facts) ?? control,
  hint,
  action: { control, input },
  command: commandLine(control, input),
})

export const has = (text: string, words: readonly string[]) =>
  words.every((word) => text.toLowerCase().includes(word.toLowerCase()))

/** Whether a word is the beginning of another one. */
export const begins = (whole: string, word = '') => whole.startsWith(word.toLowerCase())

export const targetsFor = (
  words: readonly string[],
  { targets, selected }: Pick<BoxContext, 'targets' | 'selected'>,
): ListedTarget[] => {
  const isFirst = ({ target }: ListedTarget) => begins(target.toLowerCase(), words[0])
  return words.length === 0
    ? targets.filter(({ target }) => target === selected?.target)
    : targets
        .filter(({ target, method, path }) => has(`${target} ${method} ${path}`, words))
        .toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
}
