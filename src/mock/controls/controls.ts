import { parseState, type SessionRecord, type State } from '../../store/state-file.js'
import type { ChaosSetting } from '../engine/chaos.js'
import { possibleScenarios, type Scenario } from '../engine/scenarios.js'
import type { SentCookies } from '../engine/sent-request.js'
import type { TargetName } from '../engine/target-name.js'
import type { LogDetails } from '../log/log-details.js'
import { type LogEntry, type StoredEntry, toEntry } from '../log/log-entry.js'
import type { LoggedParts } from '../log/log-parts.js'
import type { RequestEdit } from '../log/send-again.js'
import type { ClockSetting } from '../state/clock.js'
import { ControlError } from '../state/control-error.js'
import { listPersonas, type Persona } from '../state/listed-personas.js'
import type { NewPersona } from '../state/new-records.js'
import { type LoadedState, personaNamed } from '../state/personas.js'
import { diffStates } from '../state/state-changes.js'
import { createData, type EditRecords, ofOneRecord } from './data.js'

/** The personas, and the current ones. */
export type SessionList = {
  /** The persona that `session=active` stands for. */
  active?: string
  /** The persona of requests without a session cookie. Absent if they are signed out. */
  withoutCookie?: string
  /** The persona of the caller, by the cookies of this call. Absent if the caller is signed out. */
  you?: string
  sessions: Persona[]
}

/** A step through the history, and the number of changed records. */
export type HistoryStep = LoadedState & {
  /** The operation or the control. */
  title: string
  /** The id of the step's request in the log, if a request made it. */
  entry?: number
  changed: number
}

/** The outcomes of each operation that can be forced, and the named scenarios with their descriptions. */
export type PossibleScenarios = ReturnType<typeof possibleScenarios>

/**
 * Controls a running mock. Every interface (HTTP, CLI, terminal, page, in process) uses these calls. An invalid call throws a
 * `ControlError` with the valid values, and changes nothing.
 */
export type Controls = ReturnType<typeof createControls>

/** The parts that the composition of the mock provides. */
type Composition = {
  reset(): Promise<void>
  clearLog(): void
  restoreLog(): void
  send(id: number, edit: RequestEdit): Promise<StoredEntry>
}

export function createControls(parts: LoggedParts, { reset, clearLog, restoreLog, send }: Composition) {
  const { personas, scenarios, delays, chaos, clock, log, state, snapshots, targets, jar, listeners, guard } =
    parts
  const { history } = state
  const notify = <Result>(result: Result): Result => {
    parts.notify()
    return result
  }
  /** Saves the replaced state, and notifies all listeners. */
  const announce = async <Result extends LoadedState>(loaded: Result): Promise<Result> => {
    await parts.onStateChange()
    parts.onLoaded(loaded)
    return notify(loaded)
  }
  const load = (next: State, title: string) => announce(state.load(next, title))
  const edit: EditRecords = async (title, change) => announce(await state.edit(title, change))
  /** The replaced and deleted snapshots, for `restore`. */
  const replaced = new Map<string, State>()
  const keepReplaced = async (name: string) => {
    // An unreadable snapshot can be replaced too.
    const earlier = await snapshots.read(name).catch(() => undefined)
    if (earlier) replaced.set(name, earlier)
  }
  const noSnapshot = async (name: string) =>
    new ControlError(`There is no snapshot "${name}".`, await snapshots.list(), 404)

  const listSessions = async (caller?: SentCookies): Promise<SessionList> => {
    const idOf = ({ cookies, marker }: SentCookies) => personas.findCaller(cookies, marker).persona
    const own = { cookies: [jar.get() ?? []].flat() }
    return {
      active: (await personas.current())?.id,
      withoutCookie: idOf(own),
      you: idOf(caller ?? own),
      sessions: await listPersonas(parts),
    }
  }

  // Loaded on demand: details of the log, and exports.
  const details = async (...entries: StoredEntry[]): Promise<LogDetails[]> => {
    const { toDetails } = await import('../log/log-details.js')
    return entries.map((entry) => toDetails(entry, history.changesOf(entry.id, entry.before, entry.after)))
  }
  const detailsOf = async (entry: StoredEntry) => (await details(entry))[0] as LogDetails
  const step = (way: 'undo' | 'redo'): Promise<HistoryStep> => {
    const found = history[way]()
    if (!found) throw new ControlError(`There is nothing to ${way}.`, [], 409)
    const { title, entry, changes } = found.step
    return announce({ ...state.goTo(found.state), title, entry, changed: changes.length })
  }

  return {
    sessions: {
      /** @param caller the cookies of the caller; by default those of requests without cookies */
      list: listSessions,
      /** From the next request on, `session=active` means this persona. */
      async use(id: string): Promise<SessionList> {
        await personas.use(id)
        return notify(await listSessions())
      },
      /**
       * Adds a persona with its user, and with its team if the organisation has none, in one step of the history.
       * @throws StateError with the path of each fault
       */
      async add(persona: NewPersona): Promise<SessionList> {
        const { recordsOf } = await import('../state/new-records.js')
        await ofOneRecord(
          edit(`persona add ${persona.id}`, (records) => records.add(recordsOf(persona, records))),
        )
        return listSessions()
      },
      /**
       * Removes a persona, and its user if no other persona has that user. @returns a warning if `session=active` meant it
       * @throws UnknownPersonaError
       */
      async remove(id: string): Promise<SessionList & LoadedState> {
        const { userId } = personaNamed(id, await personas.list())
        const { warning } = await edit(`persona remove ${id}`, (records) => {
          const isOnly = (records.all('sessions') as SessionRecord[]).every(
            (session) => session.id === id || session.userId !== userId,
          )
          return records.remove(isOnly ? { users: [userId] } : { sessions: [id] })
        })
        return { ...(await listSessions()), warning }
      },
    },
    data: createData(parts, edit),
    targets: {
      /** The targets of requests, with their counts: operations, the user's handlers, and paths without a handler. */
      list: async () => targets.list(),
      /** Returns forced outcomes as a file of MSW handlers: custom responses, and statuses of targets without a contract. */
      async export() {
        const { exportHandlers } = await import('../log/export-handlers.js')
        return { text: exportHandlers(scenarios.list(), targets) }
      },
    },
    scenarios: {
      list: async () => scenarios.list(),
      possible: async () => possibleScenarios(),
      /**
       * Forces an outcome or a custom response, or starts a named scenario. It replaces the one with the same target and
       * persona. A response for a method and path without a handler makes one.
       */
      async set(scenario: Scenario) {
        if (scenario.session !== undefined) personaNamed(scenario.session, await personas.list())
        scenarios.set(scenario)
        return scenarios.list()
      },
      /** Ends all scenarios, or those of one target. */
      async clear(target?: string) {
        scenarios.clear(target)
        return scenarios.list()
      },
    },
    delay: {
      get: async () => delays.get(),
      /** Sets milliseconds, as `300` or `'200-800'`, for all targets or one. `null` removes the setting. */
      async set(ms: string | number | null, target?: TargetName) {
        delays.set(ms, target)
        return notify(delays.get())
      },
    },
    chaos: {
      /** The active profiles. */
      get: async () => chaos.get(),
      /**
       * Lets requests fail at random, or delays them, for all targets or one. Replaces an earlier profile. Equal seeds repeat
       * the results of the first request of a target from now on, of the second, and so on.
       */
      async set({ operation, ...setting }: ChaosSetting & { operation?: TargetName }) {
        chaos.set(setting, operation)
        return notify(chaos.get())
      },
      /** Ends chaos for all targets or one. */
      async clear(target?: TargetName) {
        chaos.clear(target)
        return notify(chaos.get())
      },
    },
    clock: {
      get: async () => clock.read(),
      /** Stops the clock at a time or lets it tick from there; without a setting, restores the real time. */
      async set(setting?: ClockSetting) {
        clock.set(setting)
        return notify(clock.read())
      },
    },
    /**
     * Restores fixtures, persona, delay, chaos, clock, ids and handlers, ends all scenarios and clears the log. Pending
     * requests are not logged any more.
     */
    reset: async () => notify(await reset()),
    state: {
      export: state.export,
      /**
       * Replaces the whole state. The persona stays if the state has it; otherwise the result has a warning.
       * @throws StateError listing each fault, without replacing anything
       */
      load: async (next: unknown) => load(parseState(next), 'state load'),
    },
    snapshots: {
      list: snapshots.list,
      /** Saves the state under a name, replacing a snapshot of that name. */
      async save(name: string) {
        checkSnapshotName(name)
        await keepReplaced(name)
        await snapshots.write(name, await state.export())
        return notify(await snapshots.list())
      },
      async load(name: string) {
        checkSnapshotName(name)
        const next = await snapshots.read(name)
        if (!next) throw await noSnapshot(name)
        return load(next, `snapshot load ${name}`)
      },
      /** Deletes a snapshot and returns the names of the others. */
      async delete(name: string) {
        checkSnapshotName(name)
        await keepReplaced(name)
        if (!(await snapshots.delete(name))) throw await noSnapshot(name)
        return notify(await snapshots.list())
      },
      /** Restores the snapshot that was deleted or replaced last under a name. */
      async restore(name: string) {
        checkSnapshotName(name)
        const earlier = replaced.get(name)
        if (!earlier)
          throw new ControlError(`No snapshot "${name}" was deleted or replaced.`, [...replaced.keys()], 404)
        replaced.delete(name)
        await snapshots.write(name, earlier)
        return notify(await snapshots.list())
      },
    },
    /**
     * Takes back the last change of the state, by a request or a control. Persona, delay, chaos, clock and scenarios stay.
     * @throws ControlError if there is none
     */
    undo: async () => step('undo'),
    /** Repeats the change that was undone last. @throws ControlError if the state has changed since, or none was undone */
    redo: async () => step('redo'),
    /** The titles of the steps of `undo` and `redo`, if there are any, and the number of steps that can be undone. */
    history: async () => history.next(),
    log: {
      /** Returns the stored entries, oldest first: all of them, or at most `limit` after an id. */
      read: async (since?: number, limit?: number) => log.read(since, limit).map(toEntry),
      /** Returns the details of an entry: request, response, and the changed records. */
      entry: async (id: number) => detailsOf(log.get(id)),
      /**
       * Sends the request of an entry again, unchanged or edited, as the same or another caller. Only the mock answers it.
       * @returns the entry of the new request
       */
      send: async (id: number, changes: RequestEdit = {}) => detailsOf(await send(id, changes)),
      /**
       * Returns the state to just before an entry, or just after it. This is a change that can be undone.
       * @throws ControlError if there is no such entry, or the changes since then are no longer stored
       */
      async rewind(id: number, { after = false }: { after?: boolean } = {}): Promise<HistoryStep> {
        const entry = log.get(id)
        const now = state.present()
        const then = history.stateAt(after ? entry.after : entry.before, now)
        if (!then) throw new ControlError(`The changes since request ${id} are no longer stored.`, [], 410)
        const title = `rewind to ${after ? 'after' : 'before'} request ${id}`
        const changed = diffStates(now, then).length
        const position = history.position()
        const loaded = state.load(then, title)
        if (history.position() > position) history.markRewound(id, after, log.lastId())
        await announce(loaded)
        return { ...loaded, title, changed }
      },
      /**
       * Returns the records that differ between the state just before an entry, or just after it, and the present one.
       * @throws ControlError if there is no such entry, or the changes since then are no longer stored
       */
      async diff(id: number, { after = false }: { after?: boolean } = {}) {
        const entry = log.get(id)
        const now = state.present()
        const then = history.stateAt(after ? entry.after : entry.before, now)
        if (!then) throw new ControlError(`The changes since request ${id} are no longer stored.`, [], 410)
        const changes = diffStates(now, then)
        return { changed: changes.length, changes: changes.slice(0, maxDiff) }
      },
      /** Returns the whole log as an HTTP Archive (HAR 1.2). */
      async har() {
        const { toHar } = await import('../log/har.js')
        return toHar(await details(...log.read()))
      },
      clear: async () => notify(clearLog()),
      /** Takes back the last `clear`, or that of a reset. @throws ControlError if there is none, or 100 requests followed */
      restore: async () => notify(restoreLog()),
      /** Calls the listener with each new entry. Returns a function that unsubscribes. */
      subscribe: (listener: (entry: LogEntry) => void) =>
        log.subscribe((entry) => void guard(() => listener(toEntry(entry)))),
    },
    /** Calls the listener after each change by a control. Returns a function that unsubscribes. */
    onChange(listener: () => void): () => void {
      const guarded = () => void guard(listener)
      listeners.add(guarded)
      return () => listeners.delete(guarded)
    },
  }
}

/** The most records of a returned difference. */
const maxDiff = 500

/** Accepts names that are valid file names on every system and cannot leave the folder. */
function checkSnapshotName(name: string): void {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(name)) {
    throw new ControlError(
      `"${name}" is not a snapshot name: use 1 to 64 of A-Z a-z 0-9 . _ - , no dot first.`,
    )
  }
}

/** The controls of all spaces. Each returns the names of the existing ones. */
export type SpaceControls = {
  list(): Promise<string[]>
  /**
   * Creates a space from the fixtures, or replaces the one with this name. A request also creates the space that it names.
   */
  create(name: string): Promise<string[]>
  /** Removes a space with its state. @throws ControlError if there is none with that name */
  remove(name: string): Promise<string[]>
}

/** The session of mocks that answer the requests of one page or process. */
export type SessionControls = {
  list(): Promise<SessionRecord[]>
  /** The persona that `session=active` stands for. */
  current(): Promise<SessionRecord | undefined>
  /** Signs in as this persona: the page, or in Node every request without its own Cookie header. */
  use(id: string): Promise<SessionRecord>
  /** Adds a persona with its user, and with its team if the organisation has none. See `Controls`. */
  add(persona: NewPersona): Promise<SessionRecord>
  /** Removes a persona, and its user if no other persona has that user. */
  remove(id: string): Promise<void>
  signOut(): void
}
