import type { Controls } from '../../../mock/core/controls.js'

/** A list to choose from. */
export type List =
  | { type: 'persona' | 'target' | 'delay' | 'reset' }
  | { type: 'outcome'; target: string; once: boolean }

/** The screen between header and footer. */
export type Screen =
  | { type: 'log'; selected?: number }
  /** Text that scrolls; `first` is the first visible row. `id` is that of a request. */
  | { type: 'page'; page: 'details' | 'waitlist' | 'help'; id?: number; first: number }
  | { type: 'list'; list: List; filter: string; index: number }
  /** A delay to enter. */
  | { type: 'prompt'; target?: string; text: string; error?: string }

/** Changes the mock, and resolves to a sentence that reports it. */
export type Effect = (controls: Controls) => Promise<string>
/** The result of a key. */
export type Action = { screen?: Screen; effect?: Effect; notice?: string; does?: 'quit' | 'open' }
