import { parseState, type SessionRecord, type State } from '../../store/state-file.js'
import type { ChaosSetting } from '../engine/chaos.js'
import { possibleScenarios, type ScenarioSetting } from '../engine/scenarios.js'
import type { SentCookies } from '../engine/sent-request.js'
import type { TargetName } from '../engine/target-name.js'
import type { LogDetails } from '../log/log-details.js'
import { type LogEntry, type StoredEntry, toEntry } from '../log/log-entry.js'
import type { LoggedParts } from '../log/log-parts.js'
import type { RequestEdit } from '../log/send-again.js'
import type { ClockSetting } from '../state/clock.js'
import { ControlError } from '../state/control-error.js'
import type { EntryRange, PartChange, Step } from '../state/history.js'
import { listPersonas, type Persona } from '../state/listed-personas.js'
import type { NewPersona } from '../state/new-records.js'
import { type LoadedState, personaNamed } from '../state/personas.js'
import { checkSnapshotName } from '../state/snapshots.js'
import { diffStates } from '../state/state-changes.js'
import { changesText, type StepView, viewOf } from './control-words.js'
import { type ChangeRecords, createData, type EditRecords, ofOneRecord } from './data.js'
import { createWholeState } from './whole-state.js'

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

/** A step that was undone or made again, or one back to a request, with the state after it. */
export type HistoryStep = LoadedState & StepView

/** The outcomes of each operation that can be forced, and the named scenarios with their descriptions. */
export type PossibleScenarios = ReturnType<typeof possibleScenarios>

/**
 * Controls a running mock. Every interface (HTTP, CLI, terminal, page, in process) uses these calls. An invalid call throws a
 * `ControlError` with the valid values, and changes nothing.
 */
export type Controls = ReturnType<typeof createControls>

/** The parts that the composition of the mock provides. */
type Composition = {
  /** Restores the fixtures and the settings. */
  reset(): void
  /** Signs in as a persona, or out. */
  use(id: string | null): void
  send(id: number, edit: RequestEdit): Promise<StoredEntry>
}

/** @param onStep called with each recorded step, in the turn of the change */
export function createControls(
  parts: LoggedParts,
  composition: Composition,
  onStep: (step: Step) => void = () => {},
) {
  const { personas, scenarios, delays, chaos, clock, log, state, snapshots, targets, jar, listeners, guard } =
    parts
  const { history, timeline } = state
  const whole = createWholeState(parts)
  /** The target by its name, which may be the method and path of an operation. */
  const named = (target: string | undefined) => (target === undefined ? undefined : targets.resolve(target))
  const notify = <Result>(result: Result): Result => {
    parts.notify()
    return result
  }
  /** Makes a change and records it, in one turn. Reports a state that was replaced. */
  const record = <Result>(
    control: string,
    input: unknown,
    change: () => Result,
    facts?: Record<string, unknown>,
    others?: readonly PartChange[],
  ) => {
    const recorded = history.record({ control, input, facts }, change, undefined, others)
    if (recorded.step) onStep(recorded.step)
    return recorded
  }
  const set = <Result>(control: string, input: unknown, change: () => void, output: () => Result): Result => {
    record(control, input, change)
    return notify(output())
  }
  /** The same for a change of the records, which is saved. */
  const change: ChangeRecords = async (control, input, make, facts, others) => {
    const { result, step } = record(control, input, make, facts, others)
    parts.onLoaded(result)
    await parts.onStateChange()
    return notify({ result, step })
  }
  const load = async (control: string, input: unknown, next: State, facts?: Record<string, unknown>) =>
    (await change(control, input, () => state.load(next), facts)).result
  /** Loads a file, with what it has beside the records, in one step. */
  const loadWhole = async (next: State): Promise<LoadedState> => {
    const checked = whole.check(next)
    if (!checked) return load('loadState', {}, next)
    const saved = await putSnapshots(checked.snapshots)
    const make = () => {
      const loaded = state.load(next)
      checked.apply()
      if (checked.persona === undefined) return loaded
      composition.use(checked.persona)
      return { active: personas.current()?.id }
    }
    return (await change('loadState', {}, make, undefined, saved)).result
  }
  /** Saves snapshots. @returns what takes them back */
  const putSnapshots = async (all: readonly [string, State][]): Promise<PartChange[]> => {
    const saved: PartChange[] = []
    for (const [name, next] of all) {
      const earlier = await snapshots.read(name).catch(() => undefined)
      await snapshots.write(name, next)
      saved.push({
        part: 'log',
        back: async () => void (await (earlier ? snapshots.write(name, earlier) : snapshots.delete(name))),
        again: async () => void (await snapshots.write(name, next)),
      })
    }
    return saved
  }
  const edit: EditRecords = async (control, input, make) => {
    const { editor } = await state.open()
    return (await change(control, input, () => state.edit(editor, make))).result
  }
  const noSnapshot = async (name: string) =>
    new ControlError(`There is no snapshot "${name}".`, await snapshots.list(), 404)
  /** Replaces or deletes a snapshot, in a step. An unreadable one can be replaced too. */
  const changeSnapshot = async (control: string, name: string, next: State | undefined) => {
    const earlier = await snapshots.read(name).catch(() => undefined)
    const put = (state: State | undefined) => (state ? snapshots.write(name, state) : snapshots.delete(name))
    const isThere = await put(next)
    if (isThere === false) throw await noSnapshot(name)
    const facts = { isReplaced: earlier !== undefined }
    const step = {
      part: 'log' as const,
      back: async () => void (await put(earlier)),
      again: async () => void (await put(next)),
    }
    onStep(history.add({ control, input: { name }, facts }, [step]))
    return notify(await snapshots.list())
  }
  const listSessions = async (caller?: SentCookies): Promise<SessionList> => {
    const idOf = ({ cookies, marker }: SentCookies) => personas.findCaller(cookies, marker).persona
    const own = { cookies: [jar.get() ?? []].flat() }
    return {
      active: personas.current()?.id,
      withoutCookie: idOf(own),
      you: idOf(caller ?? own),
      sessions: await listPersonas(parts),
    }
  }

  // Loaded on demand: details of the log, and exports.
  const details = async (...entries: StoredEntry[]): Promise<LogDetails[]> => {
    const { toDetails } = await import('../log/log-details.js')
    return entries.map((entry) => toDetails(entry, timeline.changesOf(entry.id, entry.before, entry.after)))
  }
  const detailsOf = async (entry: StoredEntry) => (await details(entry))[0] as LogDetails
  const step = async (way: 'undo' | 'redo', id?: number): Promise<HistoryStep> => {
    const found = history.find(way, id)
    if (!found)
      throw new ControlError(id === undefined ? `There is nothing to ${way}.` : noStep(way, id), [], 409)
    const [next] = found.later
    if (next)
      throw new ControlError(`${viewOf(next).done} ${way === 'undo' ? 'Undo' : 'Redo'} that first.`, [], 409)
    const { step, loaded } = await history.move(way, found.step.id)
    onStep(step)
    parts.onLoaded(loaded)
    if (step.parts.some(({ part }) => part === 'data')) await parts.onStateChange()
    return notify({ ...loaded, active: personas.current()?.id, ...viewOf(step) })
  }
  /** The state just before an entry, or just after it. */
  const stateAt = (id: number, after: boolean): State => {
    const entry = log.get(id)
    const then = timeline.stateAt(after ? entry.after : entry.before, state.present())
    if (then) return then
    throw new ControlError(`The changes since request ${id} are no longer stored.`, [], 410)
  }
  /** What a request did, as a clause. */
  const momentOf = (id: number): string => {
    const { before, after, method, path } = log.get(id)
    const changes = timeline.changesOf(id, before, after) ?? []
    return changes.length > 0 ? changesText(changes) : `${method} ${path} (request ${id})`
  }

  return {
    /** Returns the address of the mock, its project, and the files that it serves, with their faults. */
    about: async () => parts.about(),
    sessions: {
      /** @param caller the cookies of the caller; by default those of requests without cookies */
      list: listSessions,
      /** From the next request on, `session=active` means this persona; with null it is signed out. */
      async use(id: string | null): Promise<SessionList> {
        set(
          'useSession',
          { id },
          () => composition.use(id),
          () => {},
        )
        return listSessions()
      },
      /**
       * Adds a persona with its user, and with its team if the organisation has none, in one step of the history.
       * @throws StateError with the path of each fault
       */
      async add(persona: NewPersona): Promise<SessionList> {
        const { recordsOf } = await import('../state/new-records.js')
        await ofOneRecord(edit('addSession', persona, (records) => records.add(recordsOf(persona, records))))
        return listSessions()
      },
      /**
       * Ends the session of a persona now, by the clock of the mock, in one step of the history.
       * @throws UnknownPersonaError
       */
      async expire(id: string): Promise<SessionList> {
        personaNamed(id, await personas.list())
        const expiresAt = clock.now().toISOString()
        await edit('expireSession', { id }, (records) => records.set('sessions', id, { expiresAt }) ?? {})
        return listSessions()
      },
      /**
       * Removes a persona, and its user if no other persona has that user. @returns a warning if `session=active` meant it
       * @throws UnknownPersonaError
       */
      async remove(id: string): Promise<SessionList & LoadedState> {
        const { userId } = personaNamed(id, await personas.list())
        const { warning } = await edit('removeSession', { id }, (records) => {
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
       * persona. A forced outcome or response is for the next request, unless `times` is given: a number, or null for until it
       * is cleared. A response for a method and path without a handler makes one.
       */
      async set(scenario: ScenarioSetting) {
        if (scenario.session !== undefined) personaNamed(scenario.session, await personas.list())
        const valid = scenarios.checked(scenario)
        return set('setScenario', valid, () => scenarios.set(valid), scenarios.list)
      },
      /** Ends all scenarios, or those of one target. */
      async clear(given?: string) {
        const target = named(given)
        return set('clearScenarios', { target }, () => scenarios.clear(target), scenarios.list)
      },
    },
    delay: {
      get: async () => delays.get(),
      /** Sets milliseconds, as `300` or `'200-800'`, for all targets or one. `null` removes the setting. */
      async set(ms: string | number | null, given?: TargetName) {
        const target = named(given)
        return set('setDelay', { ms, target }, () => delays.set(ms, target), delays.get)
      },
    },
    chaos: {
      /** The active profiles. */
      get: async () => chaos.get(),
      /**
       * Lets requests fail at random, or delays them, for all targets or one. Replaces an earlier profile. Equal seeds repeat
       * the results of the first request of a target from now on, of the second, and so on.
       */
      async set({ target: given, ...setting }: ChaosSetting & { target?: TargetName }) {
        const target = named(given)
        return set('setChaos', { target, ...setting }, () => chaos.set(setting, target), chaos.get)
      },
      /** Ends chaos for all targets or one. */
      async clear(given?: TargetName) {
        const target = named(given)
        return set('clearChaos', { target }, () => chaos.clear(target), chaos.get)
      },
    },
    clock: {
      get: async () => clock.read(),
      /** Stops the clock at a time or lets it tick from there; without a setting, restores the real time. */
      set: async (setting?: ClockSetting) => set('setClock', setting, () => clock.set(setting), clock.read),
    },
    /**
     * Restores fixtures, persona, delay, chaos, clock, ids and handlers, ends all scenarios and clears the log. Pending
     * requests are not logged any more.
     */
    async reset(): Promise<void> {
      record('reset', {}, composition.reset)
      await parts.onStateChange()
      notify(undefined)
    },
    state: {
      /** The whole state as a file: records, persona, forced outcomes, delays, chaos, clock, snapshots and log. */
      export: whole.read,
      /**
       * Replaces the whole state. The persona stays if the state has it; otherwise the result has a warning. A file without
       * the part `mock` has records alone: everything else stays. With it, what it lacks is as at the start; only the log, the
       * persona and other snapshots stay.
       * @throws StateError listing each fault, without replacing anything
       */
      load: async (next: unknown) => loadWhole(parseState(next)),
    },
    snapshots: {
      list: snapshots.list,
      /** Saves the state under a name, replacing a snapshot of that name. */
      async save(name: string) {
        checkSnapshotName(name)
        return changeSnapshot('saveSnapshot', name, await state.export())
      },
      async load(name: string) {
        checkSnapshotName(name)
        const next = await snapshots.read(name)
        if (!next) throw await noSnapshot(name)
        return load('loadSnapshot', { name }, next)
      },
      /** Deletes a snapshot and returns the names of the others. */
      async delete(name: string) {
        checkSnapshotName(name)
        return changeSnapshot('deleteSnapshot', name, undefined)
      },
    },
    /**
     * Takes back the last change of the mock, by a request or a control, or the change with this id while it is the last of
     * its parts: the records, forced outcomes, delays and chaos, clock, persona, log and snapshots.
     * @throws ControlError if there is none, or with the change that came since
     */
    undo: async (id?: number) => step('undo', id),
    /** Repeats the change that was undone last, or that with this id. @throws ControlError if its parts have changed since */
    redo: async (id?: number) => step('redo', id),
    /** The next steps of `undo` and `redo`, if there are any, and the requests whose changes are undone now. */
    async history(): Promise<{ undo?: StepView; redo?: StepView; undone?: EntryRange[] }> {
      const [undo, redo] = [history.find('undo'), history.find('redo')]
      const undone = history.undone()
      return {
        ...(undo && { undo: viewOf(undo.step) }),
        ...(redo && { redo: viewOf(redo.step) }),
        ...(undone.length > 0 && { undone }),
      }
    },
    /** Returns the steps that are stored, oldest first: all of them, or those after an id. */
    steps: async (since = 0): Promise<(StepView & { isUndone: boolean })[]> =>
      history
        .steps()
        .filter(({ step }) => step.id > since)
        .map(({ step, isUndone }) => ({ ...viewOf(step), isUndone })),
    log: {
      /** Returns the stored entries, oldest first: all of them, or at most `limit` after an id. */
      read: async (since?: number, limit?: number) => log.read(since, limit).map(toEntry),
      /** Returns the details of an entry: request, response, and the changed records. */
      entry: async (id: number) => detailsOf(log.get(id)),
      /**
       * Sends the request of an entry again, unchanged or edited, as the same or another caller. Only the mock answers it.
       * @returns the entry of the new request
       */
      async send(id: number, changes: RequestEdit = {}) {
        const entry = await composition.send(id, changes)
        const made = history.steps().findLast(({ step }) => step.entry === entry.id)
        if (made) onStep(made.step)
        return detailsOf(entry)
      },
      /**
       * Returns the state to just before an entry, or just after it. This is a change that can be undone.
       * @throws ControlError if there is no such entry, or the changes since then are no longer stored
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
       * @throws ControlError if there is no such entry, or the changes since then are no longer stored
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
      clear: async () => set('clearLog', {}, parts.clearLog, () => {}),
      /**
       * Calls the listener with each new entry, and again when its request is aborted. Returns a function that unsubscribes.
       */
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

const noStep = (way: string, id: number) => `There is no step ${id} to ${way}.`

/** The most records of a returned difference. */
const maxDiff = 500

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
