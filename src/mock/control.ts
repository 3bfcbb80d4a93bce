import type { Controls } from './core/controls.js'
import type { EditedRecord } from './core/data.js'
import type { RecordPage } from './core/record-query.js'
import { createControlClient, type MockEvent } from './http/control-client.js'
import type { SpaceControls } from './http/spaces.js'

export type { ChaosProfile, ChaosProfiles, ChaosSetting } from './core/chaos.js'
export { ControlError } from './core/control-error.js'
export type { HistoryStep, Persona, PossibleScenarios, SessionList } from './core/controls.js'
export type { CustomResponse } from './core/custom-response.js'
export type { DataControls, EditedRecord, RecordOf, RemovedRecords } from './core/data.js'
export type { Har } from './core/har.js'
export type { LogDetails, LoggedMessage } from './core/log-details.js'
export type { NewPersona } from './core/new-records.js'
export type { RecordPage, RecordQuery } from './core/record-query.js'
export type { LogEntry } from './core/request-log.js'
export type { Scenario } from './core/scenarios.js'
export type { RequestEdit } from './core/send-again.js'
export type { HandlerTarget, TargetKind, TargetName } from './core/target-name.js'
export type { Target } from './core/targets.js'
export { type MockEvent, NoMockError } from './http/control-client.js'

/** The controls of a running mock, with the names that they have in process, and those of its spaces. */
export type RemoteMock = Pick<
  Controls,
  | 'sessions'
  | 'data'
  | 'targets'
  | 'scenarios'
  | 'delay'
  | 'chaos'
  | 'clock'
  | 'reset'
  | 'state'
  | 'snapshots'
  | 'undo'
  | 'redo'
  | 'history'
> & {
  log: Omit<Controls['log'], 'subscribe'> & {
    /**
     * Yields requests and changes as they happen, until the signal is aborted or the mock ends.
     * @param since the id of the last known entry; 0 for all stored entries; without it, new ones only
     */
    follow(signal: AbortSignal, since?: number): AsyncGenerator<MockEvent>
  }
  spaces: SpaceControls
}

/**
 * Controls the mock that `dashboard-api dev` or the Vite plugin serves, from this machine. Nothing is sent before the
 * first call. Each call rejects with ControlError if the mock refuses it, and with NoMockError if none answers.
 * @param url the address of the mock
 * @param options.space the space to control. Defaults to the one of requests that name none.
 */
export function connectToMock(url = 'http://127.0.0.1:4010', options: { space?: string } = {}): RemoteMock {
  const { call, follow } = createControlClient(url, options.space)
  /** The mock confirms what returns nothing. */
  const confirm = async (done: Promise<unknown>): Promise<void> => {
    await done
  }
  return {
    sessions: {
      list: () => call('sessions'),
      use: (id) => call('useSession', { id }),
      add: (persona) => call('addSession', persona),
      remove: (id) => call('removeSession', { id }),
    },
    // The kind decides the type of the records, which the table of controls cannot express.
    data: {
      list: (kind, query) => call('data', { kind, ...query }) as Promise<RecordPage<never>>,
      add: (kind, record) => call('addRecord', { kind, record }) as Promise<EditedRecord<never>>,
      set: (kind, key, fields) => call('setRecord', { kind, key, fields }) as Promise<EditedRecord<never>>,
      remove: (kind, key, options) => call('removeRecord', { kind, key, ...options }),
    },
    targets: {
      list: () => call('targets'),
      export: () => call('exportHandlers'),
    },
    scenarios: {
      list: () => call('scenarios'),
      possible: () => call('possibleScenarios'),
      set: (scenario) => call('setScenario', scenario),
      clear: (target) => call('clearScenarios', { target }),
    },
    delay: {
      get: () => call('delay'),
      set: (ms, target) => call('setDelay', { ms, operation: target }),
    },
    chaos: {
      get: () => call('chaos'),
      set: (setting) => call('setChaos', setting),
      clear: (target) => call('clearChaos', { operation: target }),
    },
    clock: {
      get: () => call('clock'),
      set: (setting) => call('setClock', { ...setting }),
    },
    reset: () => confirm(call('reset')),
    state: {
      export: () => call('exportState'),
      load: (state) => call('loadState', state),
    },
    snapshots: {
      list: () => call('snapshots'),
      save: (name) => call('saveSnapshot', { name }),
      load: (name) => call('loadSnapshot', { name }),
      delete: (name) => call('deleteSnapshot', { name }),
    },
    undo: () => call('undo'),
    redo: () => call('redo'),
    history: () => call('history'),
    log: {
      read: (since, limit) => call('log', { since, limit }),
      entry: (id) => call('logEntry', { id }),
      send: (id, edit) => call('sendAgain', { ...edit, id }),
      rewind: (id, options) => call('rewind', { ...options, id }),
      har: () => call('har'),
      size: () => call('logSize'),
      resize: (entries) => call('resizeLog', { entries }),
      clear: () => confirm(call('clearLog')),
      follow,
    },
    spaces: {
      list: () => call('spaces'),
      create: (name) => call('createSpace', { name }),
      remove: (name) => call('removeSpace', { name }),
    },
  }
}
