import type { OperationName } from '../../contract/operations.js'
import type { SessionRecord, State } from '../../store/state-file.js'
import type { ChaosProfiles, ChaosSetting } from './chaos.js'
import type { ClockReading, ClockSetting } from './clock.js'
import type { DataControls } from './data.js'
import type { Delay } from './delays.js'
import type { Har } from './har.js'
import type { LogDetails } from './log-details.js'
import type { NewPersona } from './new-records.js'
import type { OperationOutcome } from './outcomes.js'
import type { LoadedState } from './personas.js'
import type { LogEntry } from './request-log.js'
import type { Scenario, ScenarioName } from './scenarios.js'
import type { RequestEdit } from './send-again.js'
import type { SentCookies } from './sent-request.js'
import type { TargetName } from './target-name.js'
import type { Target } from './targets.js'

/** A persona as the interfaces (HTTP, CLI, terminal, page, in process) show it. */
export type Persona = { id: string; email: string; orgCode?: string; role?: string; note?: string }

/** The personas, and which of them is who. */
export type SessionList = {
  /** The persona that `session=active` stands for. */
  active?: string
  /** Who a request without a session cookie is. Absent for nobody. */
  withoutCookie?: string
  /** Who asks, by the cookies of this call. Absent for nobody. */
  you?: string
  sessions: Persona[]
}

/** A step through the history: what was undone or made again, and how many records changed. */
export type HistoryStep = LoadedState & {
  /** The operation or the control. */
  title: string
  /** The id of the request in the log, if it was one. */
  entry?: number
  /** The number of records that changed. */
  changed: number
}

/** Everything that can be forced: outcomes by operation, and named scenarios with their descriptions. */
export type PossibleScenarios = {
  operations: Record<OperationName, OperationOutcome[]>
  named: Record<ScenarioName, string>
}

/**
 * Controls a running mock. Every interface (HTTP, CLI, terminal, page, in process) is made of these calls.
 * An invalid call throws a `ControlError` that names the valid values, and changes nothing.
 */
export type Controls = {
  sessions: {
    /** @param caller the cookies of who asks; without it, nobody has any */
    list(caller?: SentCookies): Promise<SessionList>
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
    remove(id: string): Promise<SessionList & LoadedState>
  }
  data: DataControls
  targets: {
    /** Everything that requests reach, with how many did: operations, handlers of one's own, and what nobody answered. */
    list(): Promise<Target[]>
    /** Returns what was forced as a file of MSW handlers: custom responses, and statuses where there is no contract. */
    export(): Promise<{ text: string }>
  }
  scenarios: {
    list(): Promise<Scenario[]>
    possible(): Promise<PossibleScenarios>
    /**
     * Forces an outcome or a custom response, or starts a named scenario. It replaces the one with the same target and
     * persona. A response for a method and path that nobody answers makes a handler for them.
     */
    set(scenario: Scenario): Promise<Scenario[]>
    /** Ends all scenarios, or those of one target. */
    clear(target?: string): Promise<Scenario[]>
  }
  delay: {
    get(): Promise<Delay>
    /** Sets milliseconds, as `300` or `'200-800'`, for all targets or one. `null` removes the setting. */
    set(ms: string | number | null, target?: TargetName): Promise<Delay>
  }
  chaos: {
    /** The failure profiles that are active. */
    get(): Promise<ChaosProfiles>
    /**
     * Lets requests fail at random, or delays them, for all targets or one, in place of an earlier profile. With the same
     * seed the same happens again: to the first request of a target from now on, to the second, and so on.
     */
    set(setting: ChaosSetting & { operation?: TargetName }): Promise<ChaosProfiles>
    /** Ends chaos, or that of one target. */
    clear(target?: TargetName): Promise<ChaosProfiles>
  }
  clock: {
    get(): Promise<ClockReading>
    /** Stops the clock at a time or lets it tick from there; without a setting, restores the real time. */
    set(setting?: ClockSetting): Promise<ClockReading>
  }
  /**
   * Restores fixtures, persona, delay, chaos, clock, ids and handlers, ends all scenarios and clears the log. Requests
   * that are being answered are not logged any more.
   */
  reset(): Promise<void>
  state: {
    export(): Promise<State>
    /**
     * Replaces the whole state. The persona stays if the state has it; otherwise the result has a warning.
     * @throws StateError listing each fault, without replacing anything
     */
    load(state: unknown): Promise<LoadedState>
  }
  snapshots: {
    list(): Promise<string[]>
    /** Saves the state under a name, replacing a snapshot of that name. */
    save(name: string): Promise<string[]>
    load(name: string): Promise<LoadedState>
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
  /** What `undo` and `redo` would do: the title of the step, absent if there is none. */
  history(): Promise<{ undo?: string; redo?: string }>
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

/** The controls of all spaces. Each returns the names of those that there are. */
export type SpaceControls = {
  list(): Promise<string[]>
  /** Creates a space from the fixtures, in place of one with that name. Using a name creates its space, too. */
  create(name: string): Promise<string[]>
  /** Removes a space with its state. @throws ControlError if there is none with that name */
  remove(name: string): Promise<string[]>
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
