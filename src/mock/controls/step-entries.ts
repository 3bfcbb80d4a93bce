import type { Commands, Descriptions, Endpoints, Words } from './control-entry.js'
import type { FieldWords } from './control-fields.js'
import type { createStepControls } from './step-controls.js'

export const endpoints = {
  undo: ['POST /__dev/undo', 'undo', 'id'],
  redo: ['POST /__dev/redo', 'redo', 'id'],
  history: ['GET /__dev/history', 'history'],
  steps: ['GET /__dev/steps', 'steps', 'since'],
} as const satisfies Endpoints<ReturnType<typeof createStepControls>>

// They make no step. What they have done is told by the step.
export const words: Words<typeof endpoints> = {
  undo: { will: ({ id }, { title = `change ${id}` }) => `Undo: ${title}`, did: undefined },
  redo: { will: ({ id }, { title = `change ${id}` }) => `Redo: ${title}`, did: undefined },
}

export const commands = {
  undo: { usages: { 'undo [id]': {} }, fields: { id: 'number' }, example: 'undo' },
  redo: { usages: { 'redo [id]': {} }, fields: { id: 'number' }, example: 'redo' },
  history: { usages: {} },
  steps: { usages: { changes: {} }, fields: { since: 'number' } },
} as const satisfies Commands<typeof endpoints>

export const describe = ({ wholeNumber, strict, nothing, count }: FieldWords) =>
  ({
    undo: {
      about: 'Take back the last change of a running mock, by a request or a control.',
      input: strict({
        id: wholeNumber.describe('this change, if nothing of its kind came since').optional(),
      }),
      tool: { name: 'undo', title: 'Undo the last change' },
    },
    redo: {
      about: 'Make the change again that was undone last.',
      input: strict({ id: wholeNumber.describe('this change').optional() }),
      tool: { name: 'redo', title: 'Redo an undone change' },
    },
    history: { about: 'Show what undo and redo would do.', input: nothing, tool: 'overview' },
    steps: {
      about: 'List the changes of the mock that can be undone or made again, oldest first.',
      input: strict({ since: count.describe('only those after the change with this id').optional() }),
      tool: { name: 'list_changes', title: 'List what can be undone' },
    },
  }) satisfies Descriptions<typeof endpoints, typeof commands>
