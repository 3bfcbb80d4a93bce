import type { MemoryStore } from '../../store/memory/memory-store.js'
import type { History, Step } from './history.js'

/** Records what one request changes in the state. */
export type ChangeTracker = ReturnType<typeof trackChanges>

/** @param isCurrent whether the store is still the mock's: what a request changes in a replaced one is lost */
export function trackChanges(title: string, store: MemoryStore, history: History, isCurrent: () => boolean) {
  const step: Step = { title, parts: [] }
  let position: number | undefined

  return {
    store,
    /** The store, which adds what is changed through it to the history. */
    recordingStore: () =>
      store.reporting((changes) => {
        if (!isCurrent()) return
        step.parts.push(changes)
        if (position !== undefined) return
        position = history.position()
        history.add(step)
      }),
    /** The positions in the history before and after the changes of the request. */
    positions: () =>
      position === undefined
        ? { before: history.position(), after: history.position() }
        : { before: position, after: position + 1 },
    /** Sets the id of the request in the log, once it has one. */
    setEntry({ id }: { id: number }) {
      step.entry = id
    },
  }
}
