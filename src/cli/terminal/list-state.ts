import type { KeyPress } from './key-press.js'

/** The selected index of a list, and the text that filters it. */
export type ListState = { filter: string; index: number }

const steps: Partial<Record<NonNullable<KeyPress['key']>, number>> = {
  up: -1,
  down: 1,
  pageUp: -10,
  pageDown: 10,
  home: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
}

/** The index after a key; undefined if the key does not move the selection. */
export function moveIndex(index: number, { key }: KeyPress, length: number): number | undefined {
  const step = key && steps[key]
  return step === undefined ? undefined : Math.max(0, Math.min(length - 1, index + step))
}

/** The state of a filtered list after a key; undefined if the list does not handle the key. */
export function reduceListKey(state: ListState, press: KeyPress, length: number): ListState | undefined {
  const { filter, index } = state
  if (press.key === undefined) return { filter: filter + press.text, index: 0 }
  if (press.key === 'backspace') return { filter: [...filter].slice(0, -1).join(''), index: 0 }
  if (press.key === 'clear' || (press.key === 'escape' && filter)) return { filter: '', index: 0 }
  const moved = moveIndex(index, press, length)
  return moved === undefined ? undefined : { filter, index: moved }
}

/** The choices whose label contains the filter, then those whose hint does, ignoring case. */
export function filterChoices<Choice extends { label: string; hint: string }>(
  choices: Choice[],
  filter: string,
): Choice[] {
  const text = filter.toLowerCase()
  const byLabel = choices.filter(({ label }) => label.toLowerCase().includes(text))
  const byHint = choices.filter((choice) => !byLabel.includes(choice) && isIn(text, choice))
  return [...byLabel, ...byHint]
}

const isIn = (text: string, { label, hint }: { label: string; hint: string }): boolean =>
  `${label} ${hint}`.toLowerCase().includes(text)
