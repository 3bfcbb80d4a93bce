import * as z from 'zod'
import type { OperationName } from '../../contract/operations.js'
import type { Controls } from '../core/controls.js'
import type { Scenario } from '../core/scenarios.js'

type Entry<Input extends z.ZodType, Output> = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Below the server's address. */
  path: `/__dev/${string}`
  /** The JSON object that it takes. */
  input: Input
  does: string
  run(controls: Controls, input: z.output<Input>): Promise<Output>
}

const control = <Input extends z.ZodType, Output>(entry: Entry<Input, Output>) => entry

const nothing = z.strictObject({})
const name = z.strictObject({ name: z.string() })

/** Every control as it is reached over HTTP; server, client and documents are made from this table. */
export const controlTable = {
  sessions: control({
    method: 'GET',
    path: '/__dev/sessions',
    input: nothing,
    does: 'The personas, and the one that session=active stands for.',
    run: ({ sessions }) => sessions.list(),
  }),
  useSession: control({
    method: 'PUT',
    path: '/__dev/sessions/active',
    input: z.strictObject({ id: z.string() }),
    does: 'Makes session=active stand for another persona.',
    run: ({ sessions }, { id }) => sessions.use(id),
  }),
  scenarios: control({
    method: 'GET',
    path: '/__dev/scenarios',
    input: nothing,
    does: 'What is forced at the moment.',
    run: ({ scenarios }) => scenarios.list(),
  }),
  possibleScenarios: control({
    method: 'GET',
    path: '/__dev/scenarios/possible',
    input: nothing,
    does: 'What can be forced: the outcomes by operation, and the named scenarios.',
    run: ({ scenarios }) => scenarios.possible(),
  }),
  setScenario: control({
    method: 'PUT',
    path: '/__dev/scenarios',
    input: z.strictObject({
      target: z.string(),
      outcome: z.string().optional(),
      times: z.int().optional(),
      session: z.string().optional(),
    }),
    does: 'Forces an outcome on an operation, or begins a named scenario.',
    // Whether it is possible is for the control itself to say, to every door alike.
    run: ({ scenarios }, scenario) => scenarios.set(scenario as Scenario),
  }),
  clearScenarios: control({
    method: 'DELETE',
    path: '/__dev/scenarios',
    input: z.strictObject({ target: z.string().optional() }),
    does: 'Ends all scenarios, or those of one target.',
    run: ({ scenarios }, { target }) => scenarios.clear(target),
  }),
  delay: control({
    method: 'GET',
    path: '/__dev/delay',
    input: nothing,
    does: 'How long answers wait, in milliseconds.',
    run: ({ delay }) => delay.get(),
  }),
  setDelay: control({
    method: 'PUT',
    path: '/__dev/delay',
    input: z.strictObject({
      ms: z.union([z.string(), z.number(), z.null()]),
      operation: z.string().optional(),
    }),
    does: 'Sets the delay, 300 or "200-800", of every operation or of one; null takes it back.',
    run: ({ delay }, { ms, operation }) => delay.set(ms, operation as OperationName | undefined),
  }),
  clock: control({
    method: 'GET',
    path: '/__dev/clock',
    input: nothing,
    does: 'The time that the mock believes it is.',
    run: ({ clock }) => clock.get(),
  }),
  setClock: control({
    method: 'PUT',
    path: '/__dev/clock',
    input: z.strictObject({ at: z.string().optional(), ticking: z.boolean().optional() }),
    does: 'Stops the clock at a time, or lets it tick on from there; without a time, back to the real one.',
    run: ({ clock }, { at, ticking }) => clock.set(at === undefined ? undefined : { at, ticking }),
  }),
  reset: control({
    method: 'POST',
    path: '/__dev/reset',
    input: nothing,
    does: 'Back to the fixtures and to how the mock began; the log stays.',
    run: (controls) => controls.reset(),
  }),
  exportState: control({
    method: 'GET',
    path: '/__dev/state',
    input: nothing,
    does: 'Everything that the mock holds, as a state file.',
    run: ({ state }) => state.export(),
  }),
  loadState: control({
    method: 'PUT',
    path: '/__dev/state',
    // A state file is checked as a whole, with the faults that its reader is used to.
    input: z.unknown(),
    does: 'Replaces everything that the mock holds by a state file.',
    run: ({ state }, input) => state.load(input),
  }),
  snapshots: control({
    method: 'GET',
    path: '/__dev/snapshots',
    input: nothing,
    does: 'The names of the snapshots.',
    run: ({ snapshots }) => snapshots.list(),
  }),
  saveSnapshot: control({
    method: 'POST',
    path: '/__dev/snapshots/save',
    input: name,
    does: 'Keeps the state under a name.',
    run: ({ snapshots }, input) => snapshots.save(input.name),
  }),
  loadSnapshot: control({
    method: 'POST',
    path: '/__dev/snapshots/load',
    input: name,
    does: 'Returns to the state that was kept under a name.',
    run: ({ snapshots }, input) => snapshots.load(input.name),
  }),
  log: control({
    method: 'GET',
    path: '/__dev/log',
    input: nothing,
    does: 'The latest requests, oldest first.',
    run: ({ log }) => log.read(),
  }),
  clearLog: control({
    method: 'DELETE',
    path: '/__dev/log',
    input: nothing,
    does: 'Empties the log.',
    run: ({ log }) => log.clear(),
  }),
}

export type ControlTable = typeof controlTable
export type ControlName = keyof ControlTable

export type ControlInput<Name extends ControlName> = z.input<ControlTable[Name]['input']>
export type ControlOutput<Name extends ControlName> = Awaited<ReturnType<ControlTable[Name]['run']>>

/** Where the log is followed: server-sent events, `request` for an entry and `change` for a changed control. */
export const followPath = '/__dev/log/follow'
