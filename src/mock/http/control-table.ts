import * as z from 'zod'
import type { OperationName } from '../../contract/operations.js'
import type { Controls } from '../core/controls.js'
import type { Scenario } from '../core/scenarios.js'

type Path = `/__dev/${string}`

type Entry<Input extends z.ZodType, Output> = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  path: Path
  /** The schema of the JSON body. */
  input: Input
  run(controls: Controls, input: z.output<Input>): Promise<Output>
}

const control = <Input extends z.ZodType, Output>(
  method: Entry<Input, Output>['method'],
  path: Path,
  input: Input,
  run: Entry<Input, Output>['run'],
): Entry<Input, Output> => ({ method, path, input, run })

const empty = z.strictObject({})
const get = <Output>(path: Path, run: (controls: Controls) => Promise<Output>) =>
  control('GET', path, empty, run)

const scenario = z.strictObject({
  target: z.string(),
  outcome: z.string().optional(),
  times: z.int().optional(),
  session: z.string().optional(),
})
const delay = z.strictObject({
  ms: z.union([z.string(), z.number(), z.null()]),
  operation: z.string().optional(),
})
const clock = z.strictObject({ at: z.string().optional(), ticking: z.boolean().optional() })
const snapshot = z.strictObject({ name: z.string() })

/** The HTTP endpoints of `Controls`, which describes them. Server and client are made from this table. */
export const controlTable = {
  sessions: get('/__dev/sessions', ({ sessions }) => sessions.list()),
  useSession: control(
    'PUT',
    '/__dev/sessions/active',
    z.strictObject({ id: z.string() }),
    (controls, { id }) => controls.sessions.use(id),
  ),

  scenarios: get('/__dev/scenarios', ({ scenarios }) => scenarios.list()),
  possibleScenarios: get('/__dev/scenarios/possible', ({ scenarios }) => scenarios.possible()),
  // The control itself checks whether a scenario is possible, for every interface alike.
  setScenario: control('PUT', '/__dev/scenarios', scenario, ({ scenarios }, input) =>
    scenarios.set(input as Scenario),
  ),
  clearScenarios: control(
    'DELETE',
    '/__dev/scenarios',
    z.strictObject({ target: z.string().optional() }),
    ({ scenarios }, { target }) => scenarios.clear(target),
  ),

  delay: get('/__dev/delay', ({ delay }) => delay.get()),
  setDelay: control('PUT', '/__dev/delay', delay, ({ delay }, { ms, operation }) =>
    delay.set(ms, operation as OperationName | undefined),
  ),
  clock: get('/__dev/clock', ({ clock }) => clock.get()),
  setClock: control('PUT', '/__dev/clock', clock, ({ clock }, { at, ticking }) =>
    clock.set(at === undefined ? undefined : { at, ticking }),
  ),
  reset: control('POST', '/__dev/reset', empty, (controls) => controls.reset()),

  exportState: get('/__dev/state', ({ state }) => state.export()),
  // State files have a validation of their own, which reports each fault.
  loadState: control('PUT', '/__dev/state', z.unknown(), ({ state }, input) => state.load(input)),
  snapshots: get('/__dev/snapshots', ({ snapshots }) => snapshots.list()),
  saveSnapshot: control('POST', '/__dev/snapshots/save', snapshot, ({ snapshots }, { name }) =>
    snapshots.save(name),
  ),
  loadSnapshot: control('POST', '/__dev/snapshots/load', snapshot, ({ snapshots }, { name }) =>
    snapshots.load(name),
  ),

  log: get('/__dev/log', ({ log }) => log.read()),
  clearLog: control('DELETE', '/__dev/log', empty, ({ log }) => log.clear()),
}

export type ControlTable = typeof controlTable
export type ControlName = keyof ControlTable

export type ControlInput<Name extends ControlName> = z.input<ControlTable[Name]['input']>
export type ControlOutput<Name extends ControlName> = Awaited<ReturnType<ControlTable[Name]['run']>>

/** Streams the log as server-sent events: `request` for an entry, `change` for a changed control. */
export const followPath = '/__dev/log/follow'
