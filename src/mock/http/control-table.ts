import * as z from 'zod'
import { ControlError } from '../core/control-error.js'
import type { Controls } from '../core/controls.js'
import type { Scenario } from '../core/scenarios.js'
import type { SentCookies } from '../core/sent-request.js'
import type { TargetName } from '../core/target-name.js'
import type { ControlName } from './control-endpoints.js'
import {
  chaos,
  clock,
  count,
  delay,
  entry,
  fields,
  key,
  kind,
  named,
  operation,
  persona,
  personaId,
  records,
  request,
  scenario,
} from './control-inputs.js'
import type { SpaceControls } from './spaces.js'

/** What a call has beside its input, over HTTP. */
export type ControlContext = { spaces?: SpaceControls; caller?: SentCookies }

type Entry<Input extends z.ZodType, Output> = {
  /** What it does: the help of its command. */
  about: string
  /** The schema of the JSON body, or of the query of a GET request. Its descriptions and errors are those of the command. */
  input: Input
  run(controls: Controls, input: z.output<Input>, context: ControlContext): Promise<Output>
}

const control = <Input extends z.ZodType, Output>(
  about: string,
  input: Input,
  run: Entry<Input, Output>['run'],
): Entry<Input, Output> => ({ about, input, run })

const empty = z.strictObject({})
const bare = <Output>(about: string, run: (controls: Controls) => Promise<Output>) =>
  control(about, empty, run)

/** A mock in a page or a test has no spaces. */
const refuseSpaces = async () => {
  throw new ControlError('Only a mock that is served has spaces.')
}
const noSpaces: SpaceControls = { list: async () => [], create: refuseSpaces, remove: refuseSpaces }

/** The calls of `Controls` over HTTP, which describes them. Server and client are made from this table. */
export const controlTable = {
  sessions: control('List the personas of a running mock.', empty, ({ sessions }, _, { caller }) =>
    sessions.list(caller),
  ),
  useSession: control(
    'Choose the persona of the cookie session=active, from the next request on.',
    z.strictObject({ id: personaId }),
    ({ sessions }, { id }) => sessions.use(id),
  ),
  addSession: control(
    'Add a persona with its user, and with a team if its organisation has none.',
    persona,
    ({ sessions }, input) => sessions.add(input),
  ),
  removeSession: control(
    'Remove a persona, and its user if no other persona is that user.',
    z.strictObject({ id: personaId }),
    ({ sessions }, { id }) => sessions.remove(id),
  ),

  data: control('List the records of a kind.', records, ({ data }, { kind, ...query }) =>
    data.list(kind, query),
  ),
  // The control itself checks the record, as a state file is checked.
  addRecord: control(
    'Add a record. Ids, times and the like that it lacks are made.',
    z.strictObject({ kind, record: fields }),
    ({ data }, { kind, record }) => data.add(kind, record),
  ),
  setRecord: control(
    'Change fields of a record; null removes an optional one.',
    z.strictObject({ kind, key, fields }),
    ({ data }, { kind, key, fields }) => data.set(kind, key, fields),
  ),
  removeRecord: control(
    'Remove a record.',
    z.strictObject({
      kind,
      key,
      dependants: z
        .boolean()
        .describe('a team with its projects and its sessions, a user with its sessions')
        .optional(),
    }),
    ({ data }, { kind, key, dependants }) => data.remove(kind, key, { dependants }),
  ),

  targets: bare('List what requests reach, and how many did.', ({ targets }) => targets.list()),
  exportHandlers: bare('Print what is forced as a file of MSW handlers.', ({ targets }) => targets.export()),

  scenarios: bare('List the active scenarios, or all possible ones.', ({ scenarios }) => scenarios.list()),
  possibleScenarios: bare('List the possible scenarios.', ({ scenarios }) => scenarios.possible()),
  // The control itself checks whether a scenario is possible, for every interface alike.
  setScenario: control(
    'Force an outcome or a custom response of an operation or a handler, or start a named scenario.',
    scenario,
    ({ scenarios }, input) => scenarios.set(input as Scenario),
  ),
  clearScenarios: control(
    'End all scenarios or one, and list those that are still active.',
    z.strictObject({
      target: z.string().describe('only this operation, handler or named scenario').optional(),
    }),
    ({ scenarios }, { target }) => scenarios.clear(target),
  ),

  delay: bare('Show the delay of responses.', ({ delay }) => delay.get()),
  setDelay: control('Set the delay of responses.', delay, ({ delay }, { ms, operation }) =>
    delay.set(ms, operation as TargetName | undefined),
  ),
  chaos: bare('Show the failure profiles.', ({ chaos }) => chaos.get()),
  setChaos: control(
    'Let requests fail or wait at random, in place of an earlier profile.',
    chaos,
    ({ chaos }, { operation, ...setting }) =>
      chaos.set({ ...setting, operation: operation as TargetName | undefined }),
  ),
  clearChaos: control(
    'End chaos, or that of one operation.',
    z.strictObject({ operation }),
    ({ chaos }, { operation }) => chaos.clear(operation as TargetName | undefined),
  ),
  clock: bare('Show the current time of the mock.', ({ clock }) => clock.get()),
  setClock: control(
    'Stop the clock at a time, or let it run from there.',
    clock,
    ({ clock }, { at, ticking }) => clock.set(at === undefined ? undefined : { at, ticking }),
  ),
  reset: bare(
    'Return a running mock to its initial fixtures, persona, delay, chaos and clock, with an empty log; nothing is forced.',
    (controls) => controls.reset(),
  ),

  exportState: bare('Print the data as a state file.', ({ state }) => state.export()),
  // State files have a validation of their own, which reports each fault.
  loadState: control(
    'Replace all data of the mock with a state file; an invalid file changes nothing.',
    z.unknown(),
    ({ state }, input) => state.load(input),
  ),
  snapshots: bare('List the snapshots.', ({ snapshots }) => snapshots.list()),
  saveSnapshot: control(
    'Save the state under a name; replaces an earlier snapshot of that name.',
    named,
    ({ snapshots }, { name }) => snapshots.save(name),
  ),
  loadSnapshot: control('Return to a saved state.', named, ({ snapshots }, { name }) => snapshots.load(name)),
  deleteSnapshot: control(
    'Delete a snapshot. The state of the mock stays as it is.',
    named,
    ({ snapshots }, { name }) => snapshots.delete(name),
  ),

  undo: bare(
    'Take back the last change of the state of a running mock, by a request or a control.',
    (controls) => controls.undo(),
  ),
  redo: bare('Make the change again that was undone last.', (controls) => controls.redo()),
  history: bare('Show what undo and redo would do.', (controls) => controls.history()),

  log: control(
    'Show the requests to a running mock, the responses, and why each was given.',
    z.strictObject({ since: count.optional(), limit: count.optional() }),
    ({ log }, { since, limit }) => log.read(since, limit),
  ),
  logEntry: control(
    'Show a request: headers and bodies of both sides, and what it changed in the state.',
    z.strictObject({ id: count.describe('the id of a request, as "log" shows it') }),
    ({ log }, { id }) => log.entry(id),
  ),
  sendAgain: control(
    'Send a request again, as it was or changed, and print the response.',
    request,
    ({ log }, { id, ...edit }) => log.send(id, edit),
  ),
  rewind: control(
    'Return the state to just before a request. "undo" takes it back.',
    z.strictObject({
      id: entry,
      after: z.boolean().describe('return to just after the request').optional(),
    }),
    ({ log }, { id, after }) => log.rewind(id, { after }),
  ),
  har: bare(
    'Print the whole log as an HTTP Archive, which the developer tools of browsers open.',
    ({ log }) => log.har(),
  ),
  logSize: bare('Show how many requests the log has at most.', ({ log }) => log.size()),
  resizeLog: control(
    'Show how many requests the log has at most, or change it.',
    z.strictObject({ entries: z.number().describe('a number from 1 to 100000') }),
    ({ log }, { entries }) => log.resize(entries),
  ),
  clearLog: bare('Empty the log.', ({ log }) => log.clear()),

  spaces: control(
    'List the spaces that requests and commands have named.',
    empty,
    async (_, __, { spaces = noSpaces }) => spaces.list(),
  ),
  createSpace: control(
    'Create a space from the fixtures, in place of one with that name.',
    named,
    (_, { name }, { spaces = noSpaces }) => spaces.create(name),
  ),
  removeSpace: control('Remove a space with its state.', named, (_, { name }, { spaces = noSpaces }) =>
    spaces.remove(name),
  ),
} satisfies { [Name in ControlName]: Entry<z.ZodType, unknown> }

type ControlTable = typeof controlTable

export type ControlInput<Name extends ControlName> = z.input<ControlTable[Name]['input']>
export type ControlOutput<Name extends ControlName> = Awaited<ReturnType<ControlTable[Name]['run']>>
