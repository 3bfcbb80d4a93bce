import * as z from 'zod'
import type { OperationName } from '../../contract/operations.js'
import type { StateKind } from '../../store/state-file.js'
import type { Controls } from '../core/controls.js'
import type { Scenario } from '../core/scenarios.js'
import type { ControlName } from './control-endpoints.js'
import type { SpaceControls } from './spaces.js'

type Entry<Input extends z.ZodType, Output> = {
  /** The schema of the JSON body, or of the query of a GET request. */
  input: Input
  run(controls: Controls, input: z.output<Input>, spaces: SpaceControls): Promise<Output>
}

const control = <Input extends z.ZodType, Output>(
  input: Input,
  run: Entry<Input, Output>['run'],
): Entry<Input, Output> => ({ input, run })

const empty = z.strictObject({})
const bare = <Output>(run: (controls: Controls) => Promise<Output>) => control(empty, run)

const scenario = z.strictObject({
  target: z.string(),
  outcome: z.string().optional(),
  response: z
    .strictObject({
      status: z.int().optional(),
      body: z.unknown().optional(),
      text: z.string().optional(),
      unchecked: z.boolean().optional(),
    })
    .optional(),
  times: z.int().optional(),
  session: z.string().optional(),
})
const delay = z.strictObject({
  ms: z.union([z.string(), z.number(), z.null()]),
  operation: z.string().optional(),
})
const chaos = z.strictObject({
  errorRate: z.number().optional(),
  delay: z.union([z.string(), z.number()]).optional(),
  seed: z.number().optional(),
  outcomes: z.array(z.string()).optional(),
  operation: z.string().optional(),
})
const clock = z.strictObject({ at: z.string().optional(), ticking: z.boolean().optional() })
const named = z.strictObject({ name: z.string() })
/** In a query it is a text. */
const count = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
])
const request = z.strictObject({
  id: z.int(),
  method: z.string().optional(),
  path: z.string().optional(),
  body: z.string().optional(),
  session: z.string().nullable().optional(),
})

const persona = z.strictObject({
  id: z.string(),
  email: z.string().optional(),
  givenName: z.string().optional(),
  familyName: z.string().optional(),
  orgCode: z.string().optional(),
  teamName: z.string().optional(),
  permissions: z.array(z.string()).optional(),
  role: z.string().optional(),
  note: z.string().optional(),
})
/** The control itself names the kinds. */
const kind = z.string().transform((name) => name as StateKind)
const records = z.strictObject({
  kind,
  search: z.string().optional(),
  sort: z.string().optional(),
  offset: count.optional(),
  limit: count.optional(),
})

/** The calls of `Controls` over HTTP, which describes them. Server and client are made from this table. */
export const controlTable = {
  sessions: bare(({ sessions }) => sessions.list()),
  useSession: control(z.strictObject({ id: z.string() }), ({ sessions }, { id }) => sessions.use(id)),
  addSession: control(persona, ({ sessions }, input) => sessions.add(input)),
  removeSession: control(z.strictObject({ id: z.string() }), ({ sessions }, { id }) => sessions.remove(id)),

  data: control(records, ({ data }, { kind, ...query }) => data.list(kind, query)),
  // The control itself checks the record, as a state file is checked.
  addRecord: control(z.strictObject({ kind, record: z.looseObject({}) }), ({ data }, { kind, record }) =>
    data.add(kind, record),
  ),
  setRecord: control(
    z.strictObject({ kind, key: z.string(), fields: z.looseObject({}) }),
    ({ data }, { kind, key, fields }) => data.set(kind, key, fields),
  ),
  removeRecord: control(
    z.strictObject({ kind, key: z.string(), dependants: z.boolean().optional() }),
    ({ data }, { kind, key, dependants }) => data.remove(kind, key, { dependants }),
  ),

  scenarios: bare(({ scenarios }) => scenarios.list()),
  possibleScenarios: bare(({ scenarios }) => scenarios.possible()),
  // The control itself checks whether a scenario is possible, for every interface alike.
  setScenario: control(scenario, ({ scenarios }, input) => scenarios.set(input as Scenario)),
  clearScenarios: control(z.strictObject({ target: z.string().optional() }), ({ scenarios }, { target }) =>
    scenarios.clear(target),
  ),

  delay: bare(({ delay }) => delay.get()),
  setDelay: control(delay, ({ delay }, { ms, operation }) =>
    delay.set(ms, operation as OperationName | undefined),
  ),
  chaos: bare(({ chaos }) => chaos.get()),
  setChaos: control(chaos, ({ chaos }, { operation, ...setting }) =>
    chaos.set({ ...setting, operation: operation as OperationName | undefined }),
  ),
  clearChaos: control(z.strictObject({ operation: z.string().optional() }), ({ chaos }, { operation }) =>
    chaos.clear(operation as OperationName | undefined),
  ),
  clock: bare(({ clock }) => clock.get()),
  setClock: control(clock, ({ clock }, { at, ticking }) =>
    clock.set(at === undefined ? undefined : { at, ticking }),
  ),
  reset: bare((controls) => controls.reset()),

  exportState: bare(({ state }) => state.export()),
  // State files have a validation of their own, which reports each fault.
  loadState: control(z.unknown(), ({ state }, input) => state.load(input)),
  snapshots: bare(({ snapshots }) => snapshots.list()),
  saveSnapshot: control(named, ({ snapshots }, { name }) => snapshots.save(name)),
  loadSnapshot: control(named, ({ snapshots }, { name }) => snapshots.load(name)),
  deleteSnapshot: control(named, ({ snapshots }, { name }) => snapshots.delete(name)),

  undo: bare((controls) => controls.undo()),
  redo: bare((controls) => controls.redo()),

  log: control(
    z.strictObject({ since: count.optional(), limit: count.optional() }),
    ({ log }, { since, limit }) => log.read(since, limit),
  ),
  logEntry: control(z.strictObject({ id: count }), ({ log }, { id }) => log.entry(id)),
  sendAgain: control(request, ({ log }, { id, ...edit }) => log.send(id, edit)),
  rewind: control(z.strictObject({ id: z.int(), after: z.boolean().optional() }), ({ log }, { id, after }) =>
    log.rewind(id, { after }),
  ),
  har: bare(({ log }) => log.har()),
  logSize: bare(({ log }) => log.size()),
  resizeLog: control(z.strictObject({ entries: z.number() }), ({ log }, { entries }) => log.resize(entries)),
  clearLog: bare(({ log }) => log.clear()),

  spaces: control(empty, (_, __, spaces) => spaces.list()),
  createSpace: control(named, (_, { name }, spaces) => spaces.create(name)),
  removeSpace: control(named, (_, { name }, spaces) => spaces.remove(name)),
} satisfies { [Name in ControlName]: Entry<z.ZodType, unknown> }

type ControlTable = typeof controlTable

export type ControlInput<Name extends ControlName> = z.input<ControlTable[Name]['input']>
export type ControlOutput<Name extends ControlName> = Awaited<ReturnType<ControlTable[Name]['run']>>
