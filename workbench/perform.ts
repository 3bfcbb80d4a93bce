// Changes of the mock, by its controls. Each says what it did, in the mock's words, and the message takes back its own step.

import type { ControlName, ControlOutput } from '../src/mock/controls/control-endpoints.js'
import { saidOf } from '../src/mock/controls/control-words.js'
import type { StepView } from '../src/mock/controls/step-view.js'
import { type Answer, call, type Input } from './connection.js'
import { entries, history, refresh, scenarios } from './store.js'
import { showError, toast } from './toasts.js'

/** The titles of the steps that undo and redo are about. */
export const undoTitle = () => history.value.undo?.title
export const redoTitle = () => history.value.redo?.title

/** Whether a request has used up what a step has forced on a target. */
const isUsedUp = (target: unknown, since: number): boolean =>
  !scenarios.value.some((each) => each.target === target) &&
  entries.value?.some((each) => each.id > since && each.target === target && each.forcedBy === 'scenario') ===
    true

/**
 * Says what a control did. The message of an undo can make the step again.
 * @param input its input: when a request has used up what it forced on a target, the message goes
 */
export function say(
  name: ControlName,
  steps: readonly (StepView | undefined)[],
  { warning, input }: { warning?: string; input?: unknown } = {},
): void {
  const made = steps.filter((step) => step !== undefined)
  const text = [...(made.length > 0 ? made : [undefined]).map((step) => saidOf(name, step, input)), warning]
  const back = name === 'undo' ? { label: 'Redo', run: redo } : { label: 'Undo', run: undo }
  toast(
    text.filter(Boolean).join(' '),
    made.length === 0
      ? undefined
      : {
          label: back.label,
          run: async () => {
            for (const { id } of made.toReversed()) await back.run(id)
          },
        },
    () => name === 'setScenario' && isUsedUp(Object(input).target, made[0]?.since ?? 0),
  )
}

/** Runs a control, and says what it did. @returns its answer, whose error the caller shows */
export async function change<Name extends ControlName>(
  name: Name,
  ...input: Input<Name>
): Promise<Answer<ControlOutput<Name>>> {
  const answer = await call(name, ...input)
  if (answer.error === undefined) {
    const { warning } = Object(answer.output)
    say(name, [answer.step], { warning, input: input[0] })
  }
  await refresh()
  return answer
}

/** The same; shows the error, too. */
export async function perform<Name extends ControlName>(
  name: Name,
  ...input: Input<Name>
): Promise<ControlOutput<Name> | undefined> {
  const { output, error } = await change(name, ...input)
  if (error !== undefined) showError(error)
  return output
}

/** @param id the step; by default the last one */
export const undo = (id?: number) => perform('undo', { id })
export const redo = (id?: number) => perform('redo', { id })
