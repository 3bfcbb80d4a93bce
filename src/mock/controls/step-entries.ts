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

export const describe = ({ meta, wholeNumber, strict, nothing, count }: FieldWords) =>
  ({
    undo: {
      about: 'Take back the last change, by a request or a control.',
      input: strict({
        id: wholeNumber.describe('this change, if nothing of its kind came since').optional(),
      }),
      tool: { name: 'undo', effect: 'adds' },
    },
    redo: {
      about: 'Make the change again that was undone last.',
      input: strict({ id: wholeNumber.meta(meta('', { help: 'this change' })).optional() }),
      tool: { name: 'redo', effect: 'adds' },
    },
    history: { about: 'Show what undo and redo would do.', input: nothing, tool: 'overview' },
    steps: {
      about: 'List the changes that can be undone or made again, oldest first.',
      input: strict({
        since: count
          .meta(meta('only after this id', { help: 'only those after the change with this id' }))
          .optional(),
      }),
      tool: { name: 'list_changes' },
    },
  }) satisfies Descriptions<typeof endpoints, typeof commands>
