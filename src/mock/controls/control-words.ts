import type { Step } from '../state/history.js'
import * as calls from './call-entries.js'
import type { Announcement, Clause, Input } from './control-entry.js'
import * as data from './data-entries.js'
import * as forcing from './forcing-entries.js'
import * as log from './log-entries.js'
import * as personas from './persona-entries.js'
import { changesText } from './record-words.js'
import * as spaces from './space-entries.js'
import * as state from './state-entries.js'
import * as steps from './step-entries.js'
import type { StepView } from './step-view.js'
import * as timing from './timing-entries.js'

// The sentences about changes of the mock, which every interface uses. A clause, such as "Roadmap was created", becomes what
// was done, what was undone, and what was made again.

type ControlWords = { will?: Announcement; did: Clause | undefined; always?: true }

const words: { [control: string]: ControlWords | undefined } = {
  ...personas.words,
  ...data.words,
  ...forcing.words,
  ...timing.words,
  ...state.words,
  ...steps.words,
  ...log.words,
  ...calls.words,
  ...spaces.words,
  /** No control, but what a change of the file of fixtures does. */
  fixtures: { did: () => 'the fixtures were loaded again' },
}

/** What a control will do, without a full stop: `Delay listProjects by 300 ms`. Undefined if it changes nothing. */
export const willDo = (
  control: string,
  input: Input = {},
  facts: { name?: string; title?: string } = {},
): string | undefined => words[control]?.will?.(input, facts)

const isMove = (control: string) => control === 'undo' || control === 'redo'

/** Whether a control may change the mock. */
export const changes = (control: string): boolean => words[control]?.did !== undefined || isMove(control)

/** Said of a control that made no step. */
export const unchanged = 'Nothing was changed.'

/**
 * What a control has done, as a sentence.
 * @param step the step that it returned, if it changed the mock
 */
export function saidOf(control: string, step: StepView | undefined, input: unknown): string {
  if (step) return control === 'undo' ? step.undone : control === 'redo' ? step.redone : step.done
  const { did, always } = words[control] ?? {}
  return did && always ? sentence(did(Object(input), { changes: [] })) : unchanged
}

function clauseOf({ cause, changes }: Step): string {
  if ('control' in cause) {
    const facts = { ...cause.facts, changes }
    return words[cause.control]?.did?.(Object(cause.input), facts) ?? cause.control
  }
  if (changes.length > 0) return changesText(changes)
  if (cause.aborted) return `${cause.request} was aborted and gave back what was forced`
  return cause.used && !forcing.isNamed(cause.used as Input)
    ? `${cause.request} answered the ${forcing.usedText(cause.used as Input)}`
    : `${cause.request} used a scenario`
}

/** The words that a clause begins with. Others, as the name of a project or an operation, keep their letters. */
const firstWord = /^(a|all|chaos|everything|random|request|the|what|you)(?= )/

const sentence = (text: string) =>
  `${text.replace(firstWord, (word) => word.charAt(0).toUpperCase() + word.slice(1))}.`

/** A step with its sentences. */
export function viewOf(step: Step): StepView {
  const { id, time, cause, parts, entry, since, changes } = step
  const title = clauseOf(step)
  const isRewind = 'control' in cause && cause.control === 'rewind'
  // "The data went back to" has a shorter form.
  const back = title.replace(/^the data went/, '')
  return {
    ...{
      id,
      time,
      title,
      since,
      changed: changes.length,
      parts: [...new Set(parts.map(({ part }) => part))],
    },
    ...('control' in cause ? { control: cause.control } : { entry }),
    done: isRewind ? `Went${back}.` : sentence(title),
    undone: isRewind ? `Undone: went${back}.` : `Went back to before ${title}.`,
    redone: `Made again: ${isRewind ? `went${back}` : title}.`,
  }
}
