import * as z from 'zod'
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

const empty = z.strictObject({})

/**
 * A control: what it does, which is the help of its command, and the schema of its JSON body, or of the query of a GET
 * request, whose descriptions and errors are those of the command.
 */
const about = <Input extends z.ZodType = typeof empty>(text: string, input = empty as unknown as Input) => ({
  about: text,
  input,
})

/** The words and the input of each control. The control itself checks records, state files and scenarios. */
export const controlTable = {
  sessions: about('List the personas of a running mock.'),
  useSession: about(
    'Choose the persona of the cookie session=active, from the next request on.',
    z.strictObject({ id: personaId }),
  ),
  addSession: about('Add a persona with its user, and with a team if its organisation has none.', persona),
  removeSession: about(
    'Remove a persona, and its user if no other persona is that user.',
    z.strictObject({ id: personaId }),
  ),
  data: about('List the records of a kind.', records),
  // The control itself checks the record, as a state file is checked.
  addRecord: about(
    'Add a record. Ids, times and the like that it lacks are made.',
    z.strictObject({ kind, record: fields }),
  ),
  setRecord: about(
    'Change fields of a record; null removes an optional one.',
    z.strictObject({ kind, key, fields }),
  ),
  removeRecord: about(
    'Remove a record.',
    z.strictObject({
      kind,
      key,
      dependants: z
        .boolean()
        .describe('a team with its projects and its sessions, a user with its sessions')
        .optional(),
    }),
  ),
  targets: about('List what requests reach, and how many did.'),
  exportHandlers: about('Print what is forced as a file of MSW handlers.'),
  scenarios: about('List the active scenarios, or all possible ones.'),
  possibleScenarios: about('List the possible scenarios.'),
  // The control itself checks whether a scenario is possible, for every interface alike.
  setScenario: about(
    'Force an outcome or a custom response of an operation or a handler, or start a named scenario.',
    scenario,
  ),
  clearScenarios: about(
    'End all scenarios or one, and list those that are still active.',
    z.strictObject({
      target: z.string().describe('only this operation, handler or named scenario').optional(),
    }),
  ),
  delay: about('Show the delay of responses.'),
  setDelay: about('Set the delay of responses.', delay),
  chaos: about('Show the failure profiles.'),
  setChaos: about('Let requests fail or wait at random, in place of an earlier profile.', chaos),
  clearChaos: about('End chaos, or that of one operation.', z.strictObject({ operation })),
  clock: about('Show the current time of the mock.'),
  setClock: about('Stop the clock at a time, or let it run from there.', clock),
  reset: about(
    'Return a running mock to its initial fixtures, persona, delay, chaos and clock, with an empty log; nothing is forced.',
  ),
  exportState: about('Print the data as a state file.'),
  // State files have a validation of their own, which reports each fault.
  loadState: about(
    'Replace all data of the mock with a state file; an invalid file changes nothing.',
    z.unknown(),
  ),
  snapshots: about('List the snapshots.'),
  saveSnapshot: about('Save the state under a name; replaces an earlier snapshot of that name.', named),
  loadSnapshot: about('Return to a saved state.', named),
  deleteSnapshot: about('Delete a snapshot. The state of the mock stays as it is.', named),
  undo: about('Take back the last change of the state of a running mock, by a request or a control.'),
  redo: about('Make the change again that was undone last.'),
  history: about('Show what undo and redo would do.'),
  log: about(
    'Show the requests to a running mock, the responses, and why each was given.',
    z.strictObject({ since: count.optional(), limit: count.optional() }),
  ),
  logEntry: about(
    'Show a request: headers and bodies of both sides, and what it changed in the state.',
    z.strictObject({ id: count.describe('the id of a request, as "log" shows it') }),
  ),
  sendAgain: about('Send a request again, as it was or changed, and print the response.', request),
  rewind: about(
    'Return the state to just before a request. "undo" takes it back.',
    z.strictObject({
      id: entry,
      after: z.boolean().describe('return to just after the request').optional(),
    }),
  ),
  har: about('Print the whole log as an HTTP Archive, which the developer tools of browsers open.'),
  logSize: about('Show how many requests the log has at most.'),
  resizeLog: about(
    'Show how many requests the log has at most, or change it.',
    z.strictObject({ entries: z.number().describe('a number from 1 to 100000') }),
  ),
  clearLog: about('Empty the log.'),
  spaces: about('List the spaces that requests and commands have named.'),
  createSpace: about('Create a space from the fixtures, in place of one with that name.', named),
  removeSpace: about('Remove a space with its state.', named),
} satisfies Record<ControlName, { about: string; input: z.ZodType }>

export type ControlInput<Name extends ControlName> = z.input<(typeof controlTable)[Name]['input']>
