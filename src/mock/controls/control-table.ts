import * as z from 'zod'
import { stateKinds } from '../../store/state-file.js'
import type { ControlName } from './control-endpoints.js'

// The schemas of the controls. HTTP, the tools of agents and the commands use their descriptions and errors.

/** How the command has a field: the name of the option's value, and a description in other words. */
export type OfCommand = { value?: string; help?: string }
const meta = (description: string, { value, help }: OfCommand = {}) => ({ description, value, help })
const text = (description: string, command?: OfCommand) => z.string().meta(meta(description, command))
const optional = (description: string, command?: OfCommand) => text(description, command).optional()
const flag = (description: string) => z.boolean().describe(description).optional()
const bounded = (min: number, max: number, error = `Expected a whole number from ${min} to ${max}.`) =>
  z.int(error).min(min, error).max(max, error)
const wholeNumber = bounded(1, Number.MAX_SAFE_INTEGER, 'Expected a whole number from 1.')
/** A query has it as text. */
const digits = z.string().regex(/^\d{1,15}$/)
const count = z.union([z.int().min(0), digits.transform(Number)], 'Expected a whole number from 0.')
const outcome = z.union([z.string(), z.int()])
const milliseconds = z.union([z.string(), z.number()])

const target = optional(
  'only this operation or handler, e.g. createProject, "POST /v1/projects" or "GET /api/invoices/:id"',
)
const named = { name: text('1 to 64 letters, digits and . _ -') }
const entryId = meta('the id of a request in the log', {
  help: 'the id of a request, as "mock log" shows it',
})
const entry = wholeNumber.meta(entryId)
const stepId = (description: string) => wholeNumber.describe(description).optional()
const personaId = text('its name: the value of the session cookie')
const kind = z.enum(stateKinds).describe('the kind of record')
const key = text('the id of the record; of a waitlist entry, its address')
const fields = z
  .looseObject({})
  .meta(meta('the values of fields by their names', { help: 'NAME=TEXT, or NAME:=JSON' }))

/** An object whose error for an unknown field names the fields that it has. */
const strict = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject(fields, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Unknown: ${issue.keys.join(', ')}. Possible: ${Object.keys(fields).join(', ') || 'no field'}.`
        : undefined,
  })

/**
 * A control: its description, which is the help of its command, and the fields of its JSON body, or of the query of a GET
 * request, with the descriptions and errors of the command.
 */
const about = <Fields extends z.ZodRawShape = Record<never, never>>(text: string, fields = {} as Fields) => ({
  about: text,
  input: strict(fields),
})

/** The description and input of each control. The control itself validates records, state files and scenarios. */
export const controlTable = {
  about: about('Show the address of a running mock, its project, and the files that it serves.'),
  sessions: about('List the personas of a running mock.'),
  useSession: about('Choose the persona of the cookie session=active, from the next request on.', {
    id: personaId.nullable().describe('its name; null signs out'),
  }),
  addSession: about('Add a persona with its user, and with a team if its organisation has none.', {
    id: personaId,
    email: optional('the address of its user'),
    givenName: optional('the given name of its user'),
    familyName: optional('the family name of its user'),
    orgCode: optional('its organisation code; without it and teamName, it has no organisation', {
      value: 'code',
      help: 'its organisation code; without it and --team, it has no organisation',
    }),
    teamName: optional('the name of the team to add, if the organisation has none', {
      value: 'name',
    }),
    permissions: z
      .array(z.string())
      .meta(
        meta('its permissions; [] for none (default: those of every operation)', {
          value: 'list',
          help: 'separated by commas; "" for none (default: those of every operation)',
        }),
      )
      .optional(),
    role: optional('its role in the session bundle'),
    note: optional('a short description'),
  }),
  expireSession: about('End the session of a persona, as if it had expired. Its next request gets a 401.', {
    id: personaId,
  }),
  removeSession: about('Remove a persona, and its user if no other persona is that user.', { id: personaId }),
  data: about('List the records of a kind.', {
    kind,
    search: optional('only those with this text in a field, in any case'),
    sort: optional('sort by this field; with - before it, descending'),
    offset: count.describe('skip this many').optional(),
    limit: count.describe('list this many at most').optional(),
  }),
  // The control itself validates the record, as a state file.
  addRecord: about('Add a record. Ids, times and the like that it lacks are made.', { kind, record: fields }),
  setRecord: about('Change fields of a record; null removes an optional one.', { kind, key, fields }),
  removeRecord: about('Remove a record.', {
    kind,
    key,
    dependants: flag('a team with its projects and its sessions, a user with its sessions'),
  }),
  targets: about('List operations, handlers and unhandled requests, with the number of requests to each.'),
  exportHandlers: about('Print the forced outcomes as a file of MSW handlers.'),
  scenarios: about('List the active scenarios, or all possible ones.'),
  possibleScenarios: about('List the possible outcomes of each operation, and the named scenarios.'),
  // The control itself checks scenarios, for every interface.
  setScenario: about(
    'Force an outcome or a custom response of an operation or a handler, or start a named scenario.',
    {
      target: text(
        'e.g. createProject or "GET /api/invoices/:id"; or a named scenario: empty, duplicate-names',
      ),
      outcome: outcome
        .describe('an error code, a status such as 500, drop (closes the connection), or hang (no response)')
        .optional(),
      response: strict({
        status: bounded(200, 599)
          .describe("default: that of the operation's success; of a handler, 200")
          .optional(),
        body: z.unknown().describe('a JSON value, which the contract has for the status').optional(),
        text: z.string().describe('in place of body: a text that is not JSON').optional(),
        contentType: optional('the type of the text, for a handler'),
        headers: z
          .record(z.string(), z.string())
          .describe('more headers, e.g. { "Retry-After": "5" }')
          .optional(),
        unchecked: flag('allow a body or a text that the contract does not have'),
      })
        .describe('in place of outcome: a custom response')
        .optional(),
      times: wholeNumber
        .nullable()
        .meta(
          meta(
            'end after this many requests; null for until cleared (default: 1, the next request; of a named scenario null)',
            { help: 'end after this many requests (default: 1, the next request)' },
          ),
        )
        .optional(),
      session: optional('only for this persona', { value: 'persona' }),
    },
  ),
  clearScenarios: about('End all scenarios or one, and list those that are still active.', {
    target: optional('only this operation, handler or named scenario'),
  }),
  delay: about('Show the delay of responses.'),
  setDelay: about('Set the delay of responses. The outcome hang gives none at all.', {
    ms: milliseconds.nullable().describe('milliseconds, e.g. 300, or a range, e.g. 200-800'),
    target,
  }),
  chaos: about('Show the failure profiles.'),
  setChaos: about(
    'Let requests fail or wait at random, in place of an earlier profile. The same seed repeats the same failures.',
    {
      errorRate: z
        .number('Expected a number from 0 to 1, e.g. 0.1.')
        .min(0, 'Expected a number from 0 to 1, e.g. 0.1.')
        .max(1, 'Expected a number from 0 to 1, e.g. 0.1.')
        .meta(meta('the part of the requests that fail, e.g. 0.1', { value: 'rate' }))
        .optional(),
      delay: milliseconds.describe('milliseconds, e.g. 300, or a range, e.g. 200-2000').optional(),
      seed: z
        .number('Expected a whole number, e.g. 1.')
        .describe('repeat what this seed drew (default: the seed of the mock, else any)')
        .optional(),
      outcomes: z
        .array(outcome)
        .meta(
          meta(
            'how requests fail: error codes, statuses, drop, hang (default: INTERNAL_ERROR and SERVICE_UNAVAILABLE)',
            { value: 'outcome...' },
          ),
        )
        .optional(),
      target,
    },
  ),
  clearChaos: about('End chaos, or that of one operation or handler.', { target }),
  clock: about('Show the current time of the mock.'),
  setClock: about('Stop the clock at a time, or let it run from there.', {
    at: optional('with its zone, e.g. 2026-01-01T00:00:00Z'),
    ticking: flag('let the clock run from that time'),
  }),
  reset: about(
    'Return a running mock to its initial fixtures, persona, delay, chaos and clock, with an empty log; nothing is forced.',
  ),
  exportState: about(
    'Print the whole state as a file: records, persona, forced outcomes, delays, chaos, clock, snapshots and log.',
  ),
  // State files have their own validation, which reports each fault.
  loadState: {
    about: 'Replace all data of the mock, and what else a state file has; an invalid file changes nothing.',
    input: z.unknown(),
  },
  snapshots: about('List the snapshots.'),
  saveSnapshot: about('Save the state under a name; replaces an earlier snapshot of that name.', named),
  loadSnapshot: about('Return to a saved state.', named),
  deleteSnapshot: about('Delete a snapshot. The state of the mock stays as it is.', named),
  undo: about('Take back the last change of a running mock, by a request or a control.', {
    id: stepId('this change, if nothing of its kind came since'),
  }),
  redo: about('Make the change again that was undone last.', { id: stepId('this change') }),
  history: about('Show what undo and redo would do.'),
  steps: about('List the changes of the mock that can be undone or made again, oldest first.', {
    since: count.describe('only those after the change with this id').optional(),
  }),
  log: about('Show the requests to a running mock, the responses, and why each was given.', {
    since: count.optional(),
    limit: count.optional(),
  }),
  logEntry: about('Show a request: headers and bodies of both sides, and what it changed in the state.', {
    id: count.meta(entryId),
  }),
  sendAgain: about('Send a request again, as it was or changed, and show the response.', {
    id: entry,
    method: optional('another method'),
    path: optional('another path'),
    body: optional('another body'),
    session: z
      .string()
      .nullable()
      .meta(
        meta('send it as this persona; null for a signed-out caller (default: the caller of the request)', {
          value: 'persona',
          help: 'send it as this persona',
        }),
      )
      .optional(),
  }),
  rewind: about('Return the state to just before a request. "undo" takes it back.', {
    id: entry,
    after: flag('return to just after the request'),
  }),
  diff: about('Show in which records the state just before a request differs from the present one.', {
    id: count.meta(entryId),
    after: z
      .union([z.boolean(), z.stringbool()])
      .describe('compare with the state just after the request')
      .optional(),
  }),
  har: about('Print the whole log as an HTTP Archive, which the developer tools of browsers open.'),
  clearLog: about('Empty the log.'),
  spaces: about('List the spaces that requests and commands have named.'),
  createSpace: about('Create a space from the fixtures, in place of one with that name.', named),
  removeSpace: about('Remove a space with its state.', named),
} satisfies Record<ControlName, { about: string; input: z.ZodType }>

export type ControlInput<Name extends ControlName> = z.input<(typeof controlTable)[Name]['input']>
