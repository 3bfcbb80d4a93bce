import type { OperationName } from '../../contract/operations.js'
import { parseState, type SessionRecord, type State } from '../../store/state-file.js'
import type { Clock, ClockReading, ClockSetting } from './clock.js'
import { ControlError } from './control-error.js'
import type { Delay, Delays } from './delays.js'
import type { Outcome } from './outcomes.js'
import { type Personas, personaNamed } from './personas.js'
import type { Log, LogEntry } from './request-log.js'
import { possibleScenarios, type Scenario, type ScenarioName, type Scenarios } from './scenarios.js'
import type { SnapshotStorage } from './snapshots.js'

/** A persona as the doors show it. */
export type Persona = { id: string; email: string; orgCode?: string; role?: string; note?: string }

/** The personas, and the one that `session=active` stands for. */
export type SessionList = { active?: string; sessions: Persona[] }

/** All that can be forced: the outcomes by operation, and what the named scenarios do. */
export type PossibleScenarios = {
  operations: Record<OperationName, Outcome[]>
  named: Record<ScenarioName, string>
}

/**
 * Everything that can be told to a mock while it runs; every door to it is made of these calls.
 * What cannot be done is refused with a `ControlError` that names what can, and nothing is changed.
 */
export type Controls = {
  sessions: {
    list(): Promise<SessionList>
    /** From the next request on, `session=active` stands for this persona. */
    use(id: string): Promise<SessionList>
  }
  scenarios: {
    list(): Promise<Scenario[]>
    possible(): Promise<PossibleScenarios>
    /** Forces an outcome, or begins a named scenario; replaces the one of the same target and persona. */
    set(scenario: Scenario): Promise<Scenario[]>
    /** Ends all scenarios, or those of one operation or name. */
    clear(target?: string): Promise<Scenario[]>
  }
  delay: {
    get(): Promise<Delay>
    /** Milliseconds, as `300` or `'200-800'`, for every operation or one; `null` takes back what was set. */
    set(ms: string | number | null, operation?: OperationName): Promise<Delay>
  }
  clock: {
    get(): Promise<ClockReading>
    /** Stands still at a time, or ticks on from it; without one, back to the real time. */
    set(setting?: ClockSetting): Promise<ClockReading>
  }
  /** Back to the beginning: fixtures, persona, delay, clock and ids; no scenario. The log stays. */
  reset(): Promise<void>
  state: {
    export(): Promise<State>
    /** Replaces everything the mock holds. @throws StateError with each fault, and then nothing is replaced */
    load(state: unknown): Promise<void>
  }
  snapshots: {
    list(): Promise<string[]>
    /** Keeps the state under a name, over what was there. */
    save(name: string): Promise<string[]>
    load(name: string): Promise<void>
  }
  log: {
    /** The latest entries, oldest first. */
    read(): Promise<LogEntry[]>
    clear(): Promise<void>
    /** Calls the listener with each further entry; gives the function that ends it. */
    subscribe(listener: (entry: LogEntry) => void): () => void
  }
  /** Calls the listener after each change that is not a request's; gives the function that ends it. */
  onChange(listener: () => void): () => void
}

/** Who is signed in, where the mock keeps the session cookie or the page does. */
export type SessionControls = {
  list(): Promise<SessionRecord[]>
  /** Whom `session=active` stands for. */
  current(): Promise<SessionRecord | undefined>
  /** Signs in as this persona: the page, or in Node each request without a Cookie header of its own. */
  use(id: string): Promise<SessionRecord>
  signOut(): void
}

/** The controls that a mock in this process has beside its own `session`, `reset`, `export` and `load`. */
export type WorkbenchControls = Pick<Controls, 'scenarios' | 'delay' | 'clock' | 'snapshots' | 'log'>

export const workbenchControls = ({
  scenarios,
  delay,
  clock,
  snapshots,
  log,
}: Controls): WorkbenchControls => ({
  scenarios,
  delay,
  clock,
  snapshots,
  log,
})

type Parts = {
  personas: Personas
  scenarios: Scenarios
  delays: Delays
  clock: Clock
  log: Log
  snapshots: SnapshotStorage
  exportState(): Promise<State>
  /** Replaces the state and waits until it is kept. */
  load(state: State): Promise<void>
  reset(): Promise<void>
  listeners: Set<() => void>
}

export function createControls(parts: Parts): Controls {
  const { personas, scenarios, delays, clock, log, snapshots, exportState, listeners } = parts
  const changed = <Result>(result: Result): Result => {
    for (const listener of listeners) listener()
    return result
  }
  const list = async (): Promise<SessionList> => {
    const { users, sessions } = await exportState()
    const email = new Map(users.map((user) => [user.id, user.email]))
    return {
      active: (await personas.current())?.id,
      sessions: sessions.map((session) => toPersona(session, email.get(session.userId))),
    }
  }

  return {
    sessions: {
      list,
      async use(id) {
        await personas.use(id)
        return changed(await list())
      },
    },
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
        return changed(delays.get())
      },
    },
    clock: {
      get: async () => clock.read(),
      async set(setting) {
        clock.set(setting)
        return changed(clock.read())
      },
    },
    reset: async () => changed(await parts.reset()),
    state: {
      export: exportState,
      load: async (state) => changed(await parts.load(parseState(state))),
    },
    snapshots: {
      list: snapshots.list,
      async save(name) {
        checkName(name)
        await snapshots.write(name, await exportState())
        return changed(await snapshots.list())
      },
      async load(name) {
        checkName(name)
        const state = await snapshots.read(name)
        if (!state) throw new ControlError(`There is no snapshot "${name}".`, await snapshots.list(), 404)
        changed(await parts.load(state))
      },
    },
    log: {
      read: async () => log.read(),
      clear: async () => changed(log.clear()),
      subscribe: log.subscribe,
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const toPersona = ({ id, orgCode, role, note }: SessionRecord, email = ''): Persona => ({
  id,
  email,
  orgCode,
  role,
  note,
})

/** A name that is a file's in any folder, and never leads out of it. */
function checkName(name: string): void {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(name)) {
    throw new ControlError(
      `"${name}" is no name for a snapshot: use 1 to 64 of A-Z a-z 0-9 . _ - , no dot first.`,
    )
  }
}
