import type { State } from '../../store/state-file.js'
import type { LogDetails } from '../log/log-details.js'
import { type LogEntry, type StoredEntry, toEntry } from '../log/log-entry.js'
import type { LogFilter } from '../log/log-filter.js'
import type { RequestEdit } from '../log/send-again.js'
import { ControlError } from '../state/control-error.js'
import { callerNamed } from '../state/limit-words.js'
import type { LoadedState } from '../state/personas.js'
import { diffStates } from '../state/state-changes.js'
import { changesText } from './record-words.js'
import type { Recorder } from './recorder.js'
import type { StepView } from './step-view.js'

/** The filter that wants all. */
const nothing = {}

/** The most records of a returned difference. */
const maxDiff = 500

export function createLogControls({ parts, send, set, change, onStep, viewOf }: Recorder) {
  const { log, state, targets, guard, clearLog } = parts
  const { history, timeline } = state

  // Loaded on demand: details of the log, filters, and exports.
  const details = async (...entries: StoredEntry[]): Promise<LogDetails[]> => {
    const { toDetails } = await import('../log/log-details.js')
    return entries.map((entry) => {
      const changes = timeline.changesOf(entry.id, entry.before, entry.after)
      return toDetails(entry, { changes, rewindable: timeline.isStored(entry.before) })
    })
  }
  const detailsOf = async (entry: StoredEntry) => (await details(entry))[0] as LogDetails
  const matching = async (entries: LogEntry[], filter: LogFilter): Promise<LogEntry[]> => {
    const target = filter.target === undefined ? undefined : targets.requested(filter.target)
    const { isWanted } = await import('../log/log-filter.js')
    return entries.filter((entry) => isWanted(entry, { ...filter, target }))
  }
  /** The state just before an entry, or just after it. */
  const stateAt = (id: number, after: boolean): State => {
    const entry = log.get(id)
    const then = timeline.stateAt(after ? entry.after : entry.before, state.present())
    if (then) return then
    throw new ControlError(`The changes since request ${id} are not stored.`, [], 410)
  }
  /** What a request did, as a clause. */
  const momentOf = (id: number): string => {
    const { before, after, method, path } = log.get(id)
    const changes = timeline.changesOf(id, before, after) ?? []
    return changes.length > 0 ? changesText(changes) : `${method} ${path} (request ${id})`
  }

  return {
    /**
     * Returns the requests that a filter wants, oldest first. With `limit` the newest of them, or with `since` the oldest.
     * @throws ControlError for an unknown target, or an invalid filter
     */
    async read(given: LogFilter & { limit?: number | undefined } = nothing): Promise<LogEntry[]> {
      if (given !== nothing) {
        const { checkFilter, logFields } = await import('../log/check-filter.js')
        checkFilter(given, logFields)
      }
      const { limit, ...filter } = given
      const isForward = filter.since !== undefined
      const { since, ...others } = filter
      const isFiltered = Object.values(others).some((value) => value !== undefined)
      // The usual case, in which only the entries of the result are looked at.
      if (!isFiltered && isForward) return log.read(since, limit).map(toEntry)
      const all = log.read(since).map(toEntry)
      const found = isFiltered ? await matching(all, filter) : all
      if (limit === undefined) return found
      return isForward ? found.slice(0, limit) : found.slice(Math.max(0, found.length - limit))
    },
    /** Returns the details of an entry: request, response, and the changed records. */
    entry: async (id: number) => detailsOf(log.get(id)),
    /**
     * Sends the request of an entry again, unchanged or edited, as the same or another caller. Only the mock answers it.
     * @returns the entry of the new request
     */
    async send(id: number, changes: RequestEdit = {}) {
      const entry = await send(id, { ...changes, session: callerNamed(changes.session) })
      const made = history.steps().findLast(({ step }) => step.entry === entry.id)
      if (made) onStep(made.step)
      return detailsOf(entry)
    },
    /**
     * Returns the state to just before an entry, or just after it. This is a change that can be undone.
     * @throws ControlError if there is no such entry, or the changes since then are not stored
     */
    async rewind(
      id: number,
      { after = false }: { after?: boolean } = {},
    ): Promise<LoadedState & Partial<StepView>> {
      const then = stateAt(id, after)
      const facts = { moment: momentOf(id) }
      const { result, step } = await change('rewind', { id, after }, () => state.load(then), facts)
      if (step) history.markRewound(step, id, after, log.lastId())
      return { ...result, ...(step && viewOf(step)) }
    },
    /**
     * Returns the records that differ between the state just before an entry, or just after it, and the present one.
     * @throws ControlError if there is no such entry, or the changes since then are not stored
     */
    async diff(id: number, { after = false }: { after?: boolean } = {}) {
      const changes = diffStates(state.present(), stateAt(id, after))
      return { changed: changes.length, changes: changes.slice(0, maxDiff) }
    },
    /** Returns the whole log as an HTTP Archive (HAR 1.2). */
    async har() {
      const { toHar } = await import('../log/har.js')
      return toHar(await details(...log.read()))
    },
    clear: async () => set('clearLog', {}, clearLog, () => {}),
    /**
     * Calls the listener with each new entry, and again when its request is aborted. Returns a function that unsubscribes.
     */
    subscribe: (listener: (entry: LogEntry) => void) =>
      log.subscribe((entry) => void guard(() => listener(toEntry(entry)))),
  }
}
