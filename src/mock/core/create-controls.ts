import type { RecordEditor } from '../../store/memory/record-editor.js'
import { parseState, type SessionRecord, type State, type UserRecord } from '../../store/state-file.js'
import type { Chaos } from './chaos.js'
import type { createClock } from './clock.js'
import { ControlError } from './control-error.js'
import type { Controls, HistoryStep, Persona, SessionList } from './controls.js'
import { createData, type EditRecords } from './data.js'
import type { Delays } from './delays.js'
import type { History, Step } from './history.js'
import type { LogDetails } from './log-details.js'
import { toEntry } from './log-entry.js'
import { recordsOf } from './new-records.js'
import { type LoadedState, type Personas, personaNamed } from './personas.js'
import type { Log, StoredEntry } from './request-log.js'
import { possibleScenarios, type Scenarios } from './scenarios.js'
import type { RequestEdit } from './send-again.js'
import type { SentCookies } from './sent-request.js'
import type { SnapshotStorage } from './snapshots.js'
import { diffStates } from './state-changes.js'
import type { Targets } from './targets.js'

type Parts = {
  personas: Personas
  scenarios: Scenarios
  delays: Delays
  chaos: Chaos
  clock: ReturnType<typeof createClock>
  log: Log
  clearLog(): void
  targets: Targets
  snapshots: SnapshotStorage
  history: History
  exportState(): Promise<State>
  state(): Promise<State>
  /** The records of the present state. */
  records(): Promise<RecordEditor>
  /** Edits records in a step of the history, and resolves when it has been saved. */
  edit: EditRecords
  newId(): string
  /** Replaces the state in a step of the history, and resolves when it has been saved. */
  load(state: State, title: string): Promise<LoadedState>
  /** Replaces the state by one of the history, and resolves when it has been saved. */
  goTo(state: State): Promise<LoadedState>
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
  const list = async ({ cookies, marker }: SentCookies = { cookies: [] }): Promise<SessionList> => {
    const records = await parts.records()
    const emailOf = (userId: string) => (records.find('users', userId) as UserRecord | undefined)?.email
    return {
      active: (await personas.current())?.id,
      withoutCookie: (await personas.resolveCaller([])).session?.id,
      you: (await personas.resolveCaller(cookies, marker)).session?.id,
      sessions: (await personas.list()).map((session) => toPersona(session, emailOf(session.userId))),
    }
  }
  const edit: EditRecords = async (title, change) => notify(await parts.edit(title, change))

  // What is made of the log, and files of handlers, are loaded when they are asked for.
  const details = async (...entries: StoredEntry[]): Promise<LogDetails[]> => {
    const { toDetails } = await import('./log-details.js')
    return entries.map((entry) => toDetails(entry, history.changesOf(entry.id, entry.before, entry.after)))
  }
  const detailsOf = async (entry: StoredEntry) => (await details(entry))[0] as LogDetails
  const step = async (way: 'undo' | 'redo'): Promise<HistoryStep> => {
    const found = history[way](await parts.state())
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
    targets: {
      list: async () => parts.targets.list(),
      async export() {
        const { exportHandlers } = await import('./export-handlers.js')
        return { text: exportHandlers(scenarios.list(), parts.targets) }
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
      async set(ms, target) {
        delays.set(ms, target)
        return notify(delays.get())
      },
    },
    chaos: {
      get: async () => chaos.get(),
      async set({ operation, ...setting }) {
        chaos.set(setting, operation)
        return notify(chaos.get())
      },
      async clear(target) {
        chaos.clear(target)
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
    history: async () => history.next(),
    log: {
      read: async (since, limit) => log.read(since, limit).map(toEntry),
      entry: async (id) => detailsOf(log.get(id)),
      send: async (id, edit = {}) => detailsOf(await parts.send(id, edit)),
      async rewind(id, { after = false } = {}) {
        const entry = log.get(id)
        const now = await parts.state()
        const state = history.stateAt(after ? entry.after : entry.before, now)
        if (!state) throw new ControlError(`The changes since request ${id} are no longer stored.`, [], 410)
        const changes = diffStates(now, state)
        const title = `rewind to ${after ? 'after' : 'before'} request ${id}`
        const loaded = changes.length > 0 ? await parts.load(state, title) : {}
        return notify({ ...loaded, ...summaryOf({ title, parts: [changes] }) })
      },
      async har() {
        const { toHar } = await import('./har.js')
        return toHar(await details(...log.read()))
      },
      size: async () => log.size(),
      async resize(entries) {
        log.resize(entries)
        return notify(log.size())
      },
      clear: async () => notify(parts.clearLog()),
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
