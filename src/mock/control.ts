import type { Controls, SpaceControls } from './core/controls.js'
import { createControlClient, type MockEvent } from './http/control-client.js'
import { type ControlName, callOf, controlNames } from './http/control-endpoints.js'

export type { ChaosProfile, ChaosProfiles, ChaosSetting } from './core/chaos.js'
export { ControlError } from './core/control-error.js'
export type { HistoryStep, Persona, PossibleScenarios, SessionList } from './core/controls.js'
export type { CustomResponse } from './core/custom-response.js'
export type { DataControls, EditedRecord, RecordOf, RemovedRecords } from './core/data.js'
export type { Har } from './core/har.js'
export type { LogDetails } from './core/log-details.js'
export type { LogEntry } from './core/log-entry.js'
export type { LoggedMessage } from './core/logged-exchange.js'
export type { NewPersona } from './core/new-records.js'
export type { RecordPage, RecordQuery } from './core/record-query.js'
export type { Scenario } from './core/scenarios.js'
export type { RequestEdit } from './core/send-again.js'
export type { HandlerTarget, TargetKind, TargetName } from './core/target-name.js'
export type { ListedTarget } from './core/targets.js'
export { type MockEvent, NoMockError } from './http/control-client.js'

/** The controls of a running mock, with their names in process, and the controls of its spaces. */
export type RemoteMock = Omit<Controls, 'log' | 'onChange'> & {
  log: Omit<Controls['log'], 'subscribe'> & {
    /**
     * Yields requests and changes as they happen, until the signal is aborted or the mock ends.
     * @param since the id of the last known entry; 0 for all stored entries; by default new ones only
     */
    follow(signal: AbortSignal, since?: number): AsyncGenerator<MockEvent>
  }
  spaces: SpaceControls
}

/**
 * Controls the mock that `dashboard-api dev` or the Vite plugin serves, from this machine. The first call sends the first
 * request. A call rejects with ControlError if the mock refuses it, and with NoMockError if no mock answers.
 * @param url the URL of the mock
 * @param options.space the space to control. Default: the space of requests that name none.
 */
export function connectToMock(url = 'http://localhost:4010', options: { space?: string } = {}): RemoteMock {
  const { call, follow } = createControlClient(url, options.space)
  const send = call as (name: ControlName, input: unknown) => Promise<unknown>
  const remote: Record<string, unknown> = {}
  for (const name of controlNames) {
    const { group, member, fields } = callOf(name)
    const run = async (...args: unknown[]) => {
      const given = fields.map((field, i) => (field === '...' ? args[i] : { [field]: args[i] }))
      // A named field precedes a field of the same name among the others.
      const input = fields.length === 1 ? given[0] : Object.assign({}, ...given.reverse())
      const output = await send(name, input)
      // The reply to a call without a result.
      return Reflect.get(Object(output), 'ok') === true ? undefined : output
    }
    remote[group] = member === undefined ? run : { ...Object(remote[group]), [member]: run }
  }
  return { ...remote, log: { ...Object(remote.log), follow } } as RemoteMock
}
