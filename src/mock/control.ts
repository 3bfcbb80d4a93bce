import { type ControlName, callOf, controlNames } from './controls/control-endpoints.js'
import type { Controls } from './controls/controls.js'
import type { SpaceControls } from './controls/space-entries.js'
import { createControlClient, type MockEvent } from './surfaces/control-client.js'

export type { DataControls, EditedRecord, RecordOf, RemovedRecords } from './controls/data-controls.js'
export type { PossibleScenarios } from './controls/forcing-controls.js'
export type { SessionList } from './controls/persona-controls.js'
export type { HistoryStep } from './controls/step-controls.js'
export type { ChaosProfile, ChaosProfiles, ChaosSetting } from './engine/chaos.js'
export type { CustomResponse } from './engine/custom-response.js'
export type { DescribedTarget } from './engine/describe-target.js'
export type { Scenario, ScenarioSetting } from './engine/scenarios.js'
export type { HandlerTarget, TargetKind, TargetName } from './engine/target-name.js'
export type { ListedTarget } from './engine/targets.js'
export type { CallFilter } from './log/find-calls.js'
export type { Har } from './log/har.js'
export type { LogDetails } from './log/log-details.js'
export type { LogEntry } from './log/log-entry.js'
export type { LogFilter } from './log/log-filter.js'
export type { LoggedCall } from './log/logged-call.js'
export type { LoggedMessage } from './log/logged-exchange.js'
export type { RequestEdit } from './log/send-again.js'
export { ControlError } from './state/control-error.js'
export type { Persona } from './state/listed-personas.js'
export type { NewPersona } from './state/new-records.js'
export type { RecordPage, RecordQuery } from './state/record-query.js'
export { type MockEvent, NoMockError } from './surfaces/control-client.js'

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
