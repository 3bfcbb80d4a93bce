import type { OperationName } from '../../../contract/operations.js'

/** A list to choose from. */
export type List =
  | { of: 'persona' }
  | { of: 'target' }
  | { of: 'outcome'; target: OperationName; once: boolean }
  | { of: 'delayed' }
  | { of: 'snapshot' }
  | { of: 'reset' }

/** A text to type. */
export type Question = { of: 'delay'; operation?: OperationName } | { of: 'name' }

/** What is shown below the header. */
export type Screen =
  | { is: 'log'; selected?: number }
  | { is: 'details'; id: number }
  | { is: 'list'; list: List; filter: string; index: number }
  | { is: 'question'; question: Question; text: string; refusal?: string }
  | { is: 'help' }

export type Notice = { tone: 'done' | 'failed'; text: string }

export type Ui = { screen: Screen; notice?: Notice }

export const start: Ui = { screen: { is: 'log' } }

export const listOf = (list: List, index = 0): Screen => ({ is: 'list', list, filter: '', index })
export const questionOf = (question: Question): Screen => ({ is: 'question', question, text: '' })

/** Where Escape leads from a screen. */
export function back(screen: Screen): Screen {
  if (screen.is === 'list' && screen.list.of === 'outcome') return listOf({ of: 'target' })
  if (screen.is === 'question' && screen.question.of === 'delay') return listOf({ of: 'delayed' })
  return screen.is === 'details' ? { is: 'log', selected: screen.id } : { is: 'log' }
}
