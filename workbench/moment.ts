// The moment that the data is at: the bar "Now", dragged to any place between two requests.

import { computed, signal } from '@preact/signals'
import type { RecordChange } from '../src/store/memory/record-changes.js'
import { call } from './connection.js'
import { perform } from './perform.js'
import { entries, history, select } from './store.js'

/** How many requests are above the bar while it is being moved. */
export const preview = signal<number | undefined>(undefined)

export type Difference = { changed: number; changes: RecordChange[]; error?: string }
/** In which records the state at the moment of the bar differs from the present one. */
export const difference = signal<Difference | undefined>(undefined)

const count = () => entries.value?.length ?? 0
/** The entry just above the bar, if it has `above` above it. */
export const entryAbove = (above: number) => entries.value?.[count() - above]

export const isUndone = (id: number): boolean =>
  history.value.undone?.some(([from, to]) => id >= from && id <= to) ?? false

/** How many requests are above the bar. Where it rests, none are: those that are undone are folded below it. */
export const position = computed(() => Math.min(preview.value ?? 0, count()))

/** In words, e.g. `before #17`. */
export const momentText = computed(() => {
  const entry = position.value > 0 ? entryAbove(position.value) : undefined
  return entry ? `before #${entry.id}` : 'the present'
})

let latest = 0
async function readDifference(above: number): Promise<void> {
  latest += 1
  const mine = latest
  const entry = above > 0 ? entryAbove(above) : entries.value?.at(-1)
  if (!entry) return
  const { output, error } = await call('diff', { id: entry.id, after: above === 0 })
  if (mine !== latest || preview.value === undefined) return
  difference.value = output ?? { changed: 0, changes: [], error }
}

/** Whether the data just before a request is stored. */
export const isRewindable = (id: number): boolean => id >= (history.value.rewindableFrom ?? 0)
/** The most requests that can be above the bar. */
export const reach = computed(() => entries.value?.filter(({ id }) => isRewindable(id)).length ?? 0)

/** Moves the bar, without changing the data. */
export function moveTo(above: number): void {
  const next = Math.max(0, Math.min(above, reach.value))
  if (next === preview.value) return
  preview.value = next
  void readDifference(next)
}

export function cancelMove(): void {
  latest += 1
  preview.value = undefined
  difference.value = undefined
}

/** Goes to the moment of the bar, in one step of the history. */
export async function letGo(): Promise<void> {
  const above = preview.value
  if (above === undefined) return
  if (above === 0) return cancelMove()
  const entry = entryAbove(above)
  const moved = entry && (await perform('rewind', { id: entry.id }))
  if (moved) {
    const below = entries.value?.[count() - 1 - above]
    if (below) select(below.id)
  }
  cancelMove()
}

/** Goes back to just before or after a request. */
export const goBack = (id: number, after = false) => perform('rewind', { id, after })
