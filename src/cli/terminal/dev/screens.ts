import type { OperationName } from '../../../contract/operations.js'
import type { StateKind } from '../../../store/state-file.js'

/** A list to choose from. */
export type List =
  | { type: 'persona' }
  | { type: 'target' }
  | { type: 'outcome'; target: OperationName; once: boolean }
  | { type: 'delay' }
  | { type: 'chaos' }
  | { type: 'snapshot' }
  | { type: 'reset' }

/** A text to enter. */
export type Prompt =
  | { type: 'delay' | 'chaos'; operation?: OperationName }
  | { type: 'response'; target: OperationName; once: boolean; unchecked: boolean }
  | { type: 'clock'; ticking: boolean }
  | { type: 'snapshot' }
  /** A field of a record. */
  | { type: 'field'; from: DataScreen; key: string; field: string }
  /** A new record. */
  | { type: 'record'; from: DataScreen }

/** The table of the records of a kind. */
export type DataScreen = {
  type: 'data'
  kind: StateKind
  search: string
  /** Whether letters are entered into the search. */
  isSearching: boolean
  /** A field; descending with - before it. */
  sort?: string
  /** The selected record and its field. */
  index: number
  column: number
}

/** The screen between header and footer. */
export type Screen =
  | { type: 'log'; selected?: number }
  /** `first` is the first visible row of a page, 0 if left out. */
  | { type: 'details'; id: number; first?: number }
  | { type: 'list'; list: List; filter: string; index: number }
  | { type: 'prompt'; prompt: Prompt; text: string; error?: string }
  | { type: 'help'; first?: number }
  | DataScreen

export type Notice = { type: 'success' | 'error'; text: string }

export type Ui = { screen: Screen; notice?: Notice }

export const initialUi: Ui = { screen: { type: 'log' } }

export const dataScreen = (kind: StateKind = 'projects'): DataScreen => ({
  type: 'data',
  kind,
  search: '',
  isSearching: false,
  index: 0,
  column: 0,
})
export const listScreen = (list: List, index = 0): Screen => ({ type: 'list', list, filter: '', index })
export const promptScreen = (prompt: Prompt): Screen => ({ type: 'prompt', prompt, text: '' })

/** The screen after Escape. */
export function previousScreen(screen: Screen): Screen {
  if (screen.type === 'list' && screen.list.type === 'outcome') return listScreen({ type: 'target' })
  if (screen.type === 'prompt') {
    const { prompt } = screen
    if (prompt.type === 'delay' || prompt.type === 'chaos') return listScreen({ type: prompt.type })
    if ('from' in prompt) return prompt.from
    if (prompt.type === 'response') {
      return listScreen({ type: 'outcome', target: prompt.target, once: prompt.once })
    }
  }
  return screen.type === 'details' ? { type: 'log', selected: screen.id } : { type: 'log' }
}
