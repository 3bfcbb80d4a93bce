import type { OperationName } from '../../contract/operations.js'
import type { RecordEditor } from '../../store/memory/record-editor.js'
import { parseState, type SessionRecord, type State, type UserRecord } from '../../store/state-file.js'
import type { Chaos, ChaosProfiles, ChaosSetting } from './chaos.js'
import type { Clock, ClockReading, ClockSetting } from './clock.js'
import { ControlError } from './control-error.js'
import { createData, type DataControls, type EditRecords } from './data.js'
import type { Delay, Delays } from './delays.js'
import { type Har, toHar } from './har.js'
import type { History, Step } from './history.js'
import { type LogDetails, toDetails, toEntry } from './log-details.js'
import { type NewPersona, recordsOf } from './new-records.js'
import type { Outcome } from './outcomes.js'
import { type Loaded, type Personas, personaNamed } from './personas.js'
import type { Log, LogEntry, StoredEntry } from './request-log.js'
import { possibleScenarios, type Scenario, type ScenarioName, type Scenarios } from './scenarios.js'
import type { RequestEdit } from './send-again.js'
import type { SnapshotStorage } from './snapshots.js'
import { diffStates } from './state-changes.js'

/** A persona as the interfaces (HTTP, CLI, terminal, page, in process) show it. */
export type Persona = { id: string; email: string; orgCode?: string; role?: string; note?: string }

/** The personas, and the id of the one that `session=active` stands for. */
export type SessionList = { active?: string; sessions: Persona[] }

/** A step through the history: what was undone or made again, and how many records changed. */
export type HistoryStep = Loaded & {
  /** The operation or the control. */
  title: string
  /** The id of the request in the log, if it was one. */
  entry?: number
  /** The number of records that changed. */
  changed: number
}

/** Everything that can be forced: outcomes by operation, and named scenarios with their descriptions. */
export type PossibleScenarios = {
  operations: Record<OperationName, Outcome[]>
  named: Record<ScenarioName, string>
}

/**
 * Controls a running mock. Every interface (HTTP, CLI, terminal, page, in process) is made of these calls.
 * An invalid call throws a `ControlError` that names the valid values, and changes nothing.
 */
export type Controls = {
  sessions: {
    list(): Promise<SessionList>
    /** From the next request on, `session=active` stands for this persona. */
    use(id: string): Promise<SessionList>
    /**
     * Adds a persona with its user, and with its team if the organisation has none, in one step of the history.
     * @throws StateError with the path of each fault
     */
    add(persona: NewPersona): Promise<SessionList>
    /**
     * Removes a persona, and its user if nobody else is that user. @returns a warning if it was the one of
     * `session=active`. @throws UnknownPersonaError
     */
    remove(id: string): Promise<SessionList & Loaded>
  }
  data: DataControls
  scenarios: {
    list(): Promise<Scenario[]>
    possible(): Promise<PossibleScenarios>
    /** Forces an outcome or a response of one's own, or starts a named scenario. It replaces the one with the same target and persona. */
    set(scenario: Scenario): Promise<Scenario[]>
    /** Ends all scenarios, or those of one target. */
    clear(target?: string): Promise<Scenario[]>
  }
  delay: {
    get(): Promise<Delay>
    /** Sets milliseconds, as `300` or `'200-800'`, for all operations or one. `null` removes the setting. */
    set(ms: string | number | null, operation?: OperationName): Promise<Delay>
  }
  chaos: {
    /** The failure profiles that are active. */
    get(): Promise<ChaosProfiles>
    /**
     * Lets requests fail at random, or delays them, for all operations or one, in place of an earlier profile. With the
     * same seed the same happens again: to the first request of an operation from now on, to the second, and so on.
     */
    set(setting: ChaosSetting & { operation?: OperationName }): Promise<ChaosProfiles>
    /** Ends chaos, or that of one operation. */
    clear(operation?: OperationName): Promise<ChaosProfiles>
  }
  clock: {
    get(): Promise<ClockReading>
    /** Stops the clock at a time or lets it tick from there; without a setting, restores the real time. */
    set(setting?: ClockSetting): Promise<ClockReading>
  }
  /** Restores fixtures, persona, delay, chaos, clock and ids, and ends all scenarios. The log stays. */
  reset(): Promise<void>
  state: {
    export(): Promise<State>
    /**
     * Replaces the whole state. The persona stays if the state has it; otherwise the result has a warning.
     * @throws StateError listing each fault, without replacing anything
     */
    load(state: unknown): Promise<Loaded>
  }
  snapshots: {
    list(): Promise<string[]>
    /** Saves the state under a name, replacing a snapshot of that name. */
    save(name: string): Promise<string[]>
    load(name: string): Promise<Loaded>
    /** Deletes a snapshot and returns the names of the others. */
    delete(name: string): Promise<string[]>
  }
  /**
   * Takes back the last change of the state, by a request or a control, that has not been undone. Persona, delay, chaos,
   * clock and scenarios stay as they are. @throws ControlError if there is none
   */
  undo(): Promise<HistoryStep>
  /** Makes the change again that was undone last. @throws ControlError if the state has changed since, or none was */
  redo(): Promise<HistoryStep>
  log: {
    /** Returns the stored entries, oldest first: all of them, or those after an id, `limit` at most. */
    read(since?: number, limit?: number): Promise<LogEntry[]>
    /** Returns everything that is stored of an entry: request, response, and what it changed in the state. */
    entry(id: number): Promise<LogDetails>
    /**
     * Sends the request of an entry again, as it was or edited, as the same or another caller. It is answered as any
     * request, but by the mock alone. @returns the entry of the new request
     */
    send(id: number, edit?: RequestEdit): Promise<LogDetails>
    /**
     * Returns the state to just before an entry, or just after it. This is a change of its own, which can be undone.
     * @throws ControlError if there is no such entry, or the changes since then are no longer stored
     */
    rewind(id: number, options?: { after?: boolean }): Promise<HistoryStep>
    /** Returns the whole log as an HTTP Archive (HAR 1.2). */
    har(): Promise<Har>
    /** The most entries that are stored. */
    size(): Promise<number>
    /** Changes the most entries that are stored, from 1 to 100,000. */
    resize(entries: number): Promise<number>
    clear(): Promise<void>
    /** Calls the listener with each new entry. Returns a function that unsubscribes. */
    subscribe(listener: (entry: LogEntry) => void): () => void
  }
  /** Calls the listener after each change by a control. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
}

/** Who is signed in, for mocks that answer the requests of one page or process. */
export type SessionControls = {
  list(): Promise<SessionRecord[]>
  /** The persona that `session=active` stands for. */
  current(): Promise<SessionRecord | undefined>
  /** Signs in as this persona: the page, or in Node every request without its own Cookie header. */
  use(id: string): Promise<SessionRecord>
  /** Adds a persona with its user, and with its team if the organisation has none. See `Controls`. */
  add(persona: NewPersona): Promise<SessionRecord>
  /** Removes a persona, and its user if nobody else is that user. */
  remove(id: string): Promise<void>
  signOut(): void
}

type Parts = {
  personas: Personas
  scenarios: Scenarios
  delays: Delays
  chaos: Chaos
  clock: Clock
  log: Log
  snapshots: SnapshotStorage
  history: History
  exportState(): Promise<State>
  state(): State
  /** The records of the present state. */
  records(): RecordEditor
  /** Edits records in a step of the history, and resolves when it has been saved. */
  edit: EditRecords
  newId(): string
  /** Replaces the state in a step of the history, and resolves when it has been saved. */
  load(state: State, title: string): Promise<Loaded>
  /** Replaces the state by one of the history, and resolves when it has been saved. */
  goTo(state: State): Promise<Loaded>
  reset(): Promise<void>
  send(id: number, edit: RequestEdit): Promise<StoredEntry>
  listeners: Set<() => void>
}

export function createControls(parts: Parts): Controls {
  const { personas, scenarios, delays, chaos, clock, log, history, snapshots, exportState, listeners } = parts
  const notify = <Result>(result: Result): Result => {
    for (const listener of listeners) listener()
    return result
  }
  const noSnapshot = async (name: string) =>
    new ControlError(`There is no snapshot "${name}".`, await snapshots.list(), 404)
  const list = async (): Promise<SessionList> => {
    const records = parts.records()
    const emailOf = (userId: string) => (records.find('users', userId) as UserRecord | undefined)?.email
    return {
      active: (await personas.current())?.id,
      sessions: (await personas.list()).map((session) => toPersona(session, emailOf(session.userId))),
    }
  }
  const edit: EditRecords = async (title, change) => notify(await parts.edit(title, change))

  const details = (entry: StoredEntry): LogDetails =>
    toDetails(entry, history.changesOf(entry.id, entry.before, entry.after))
  const step = async (way: 'undo' | 'redo'): Promise<HistoryStep> => {
    const found = history[way](parts.state())
    if (!found) throw new ControlError(`There is nothing to ${way}.`, [], 409)
    const loaded = await parts.goTo(found.state)
    return notify({ ...loaded, ...summaryOf(found.step) })
  }

  return {
    sessions: {
      list,
      async use(id) {
        await personas.use(id)
        return notify(await list())
      },
      async add(persona) {
        await edit(`persona add ${persona.id}`, (records) => records.add(recordsOf(persona, records)))
        return list()
      },
      async remove(id) {
        const { userId } = personaNamed(id, await personas.list())
        const { warning } = await edit(`persona remove ${id}`, (records) => {
          const isOnly = (records.all('sessions') as SessionRecord[]).every(
            (session) => session.id === id || session.userId !== userId,
          )
          return records.remove(isOnly ? { users: [userId] } : { sessions: [id] })
        })
        return { ...(await list()), warning }
      },
    },
    data: createData({ ...parts, edit, now: clock.now }),
    scenarios: {
      list: async () => scenarios.list(),
      possible: async () => possibleScenarios(),
      async set(scenario) {
        if (scenario.session !== undefined) personaNamed(scenario.session, await personas.list())
        scenarios.set(scenario)
        return scenarios.list()
      },
      async clear(target) {
        scenarios.clear(target)
        return scenarios.list()
      },
    },
    delay: {
      get: async () => delays.get(),
      async set(ms, operation) {
        delays.set(ms, operation)
        return notify(delays.get())
      },
    },
    chaos: {
      get: async () => chaos.get(),
      async set({ operation, ...setting }) {
        chaos.set(setting, operation)
        return notify(chaos.get())
      },
      async clear(operation) {
        chaos.clear(operation)
        return notify(chaos.get())
      },
    },
    clock: {
      get: async () => clock.read(),
      async set(setting) {
        clock.set(setting)
        return notify(clock.read())
      },
    },
    reset: async () => notify(await parts.reset()),
    state: {
      export: exportState,
      load: async (state) => notify(await parts.load(parseState(state), 'state load')),
    },
    snapshots: {
      list: snapshots.list,
      async save(name) {
        checkSnapshotName(name)
        await snapshots.write(name, await exportState())
        return notify(await snapshots.list())
      },
      async load(name) {
        checkSnapshotName(name)
        const state = await snapshots.read(name)
        if (!state) throw await noSnapshot(name)
        return notify(await parts.load(state, `snapshot load ${name}`))
      },
      async delete(name) {
        checkSnapshotName(name)
        if (!(await snapshots.delete(name))) throw await noSnapshot(name)
        return notify(await snapshots.list())
      },
    },
    undo: () => step('undo'),
    redo: () => step('redo'),
    log: {
      read: async (since, limit) => log.read(since, limit).map(toEntry),
      entry: async (id) => details(log.get(id)),
      send: async (id, edit = {}) => details(await parts.send(id, edit)),
      async rewind(id, { after = false } = {}) {
        const entry = log.get(id)
        const now = parts.state()
        const state = history.stateAt(after ? entry.after : entry.before, now)
        if (!state) throw new ControlError(`The changes since request ${id} are no longer stored.`, [], 410)
        const changes = diffStates(now, state)
        const title = `rewind to ${after ? 'after' : 'before'} request ${id}`
        const loaded = changes.length > 0 ? await parts.load(state, title) : {}
        return notify({ ...loaded, ...summaryOf({ title, parts: [changes] }) })
      },
      har: async () => toHar(log.read().map(details)),
      size: async () => log.size(),
      async resize(entries) {
        log.resize(entries)
        return notify(log.size())
      },
      clear: async () => notify(log.clear()),
      subscribe: (listener) => log.subscribe((entry) => listener(toEntry(entry))),
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const summaryOf = ({ title, entry, parts }: Step) => ({ title, entry, changed: parts.flat().length })

const toPersona = ({ id, orgCode, role, note }: SessionRecord, email = ''): Persona => ({
  id,
  email,
  orgCode,
  role,
  note,
})

/** Accepts names that are valid file names on every system and cannot leave the folder. */
function checkSnapshotName(name: string): void {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(name)) {
    throw new ControlError(
      `"${name}" is not a snapshot name: use 1 to 64 of A-Z a-z 0-9 . _ - , no dot first.`,
    )
  }
}
