import type { Press } from './key-press.js'

/** Where one is in a list, and what was typed to make it shorter. */
export type ListPosition = { filter: string; index: number }

/** By how much a key moves. */
const moves: Partial<Record<NonNullable<Press['key']>, number>> = {
  up: -1,
  down: 1,
  pageUp: -10,
  pageDown: 10,
  home: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
}

/** Where a key leads from an index of a list; undefined for a key that does not move. */
export function movedTo(index: number, { key }: Press, length: number): number | undefined {
  const move = key && moves[key]
  return move === undefined ? undefined : Math.max(0, Math.min(length - 1, index + move))
}

/** What a key does to a list that is filtered by typing; undefined for a key that is not the list's. */
export function onListKey(position: ListPosition, press: Press, length: number): ListPosition | undefined {
  const { filter, index } = position
  if (press.key === undefined) return { filter: filter + press.text, index: 0 }
  if (press.key === 'backspace') return { filter: [...filter].slice(0, -1).join(''), index: 0 }
  if (press.key === 'escape' && filter) return { filter: '', index: 0 }
  const moved = movedTo(index, press, length)
  return moved === undefined ? undefined : { filter, index: moved }
}

/** Those that have the letters of the filter, in any case. */
export function filtered<Choice extends { label: string; hint: string }>(
  choices: Choice[],
  filter: string,
): Choice[] {
  const wanted = filter.toLowerCase()
  return choices.filter(({ label, hint }) => `${label} ${hint}`.toLowerCase().includes(wanted))
}
