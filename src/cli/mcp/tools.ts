import * as z from 'zod'
import type { ControlName } from '../../mock/controls/control-endpoints.js'

/** Whether a tool only reads, only adds, or may replace or remove something, whether or not `undo` takes it back. */
type Effect = 'reads' | 'adds' | 'replaces'

/** The tool of a control, whose words and input are those of the control table. */
type ControlTool = { control: ControlName; title: string; effect: Effect }

/** The tools that call one control each, by name. */
export const controlTools = {
  list_personas: { control: 'sessions', title: 'List personas', effect: 'reads' },
  use_persona: { control: 'useSession', title: 'Be another persona', effect: 'replaces' },
  add_persona: { control: 'addSession', title: 'Add a persona', effect: 'adds' },
  expire_persona: { control: 'expireSession', title: 'End the session of a persona', effect: 'replaces' },
  remove_persona: { control: 'removeSession', title: 'Remove a persona', effect: 'replaces' },
  list_records: { control: 'data', title: 'List records', effect: 'reads' },
  add_record: { control: 'addRecord', title: 'Add a record', effect: 'adds' },
  set_record: { control: 'setRecord', title: 'Change a record', effect: 'replaces' },
  remove_record: { control: 'removeRecord', title: 'Remove a record', effect: 'replaces' },
  list_targets: { control: 'targets', title: 'List operations and handlers', effect: 'reads' },
  force_outcome: { control: 'setScenario', title: 'Force an outcome or a response', effect: 'replaces' },
  clear_forced: { control: 'clearScenarios', title: 'Clear forced outcomes', effect: 'replaces' },
  export_handlers: { control: 'exportHandlers', title: 'Export as MSW handlers', effect: 'reads' },
  set_delay: { control: 'setDelay', title: 'Delay responses', effect: 'replaces' },
  set_chaos: { control: 'setChaos', title: 'Let requests fail at random', effect: 'replaces' },
  clear_chaos: { control: 'clearChaos', title: 'End chaos', effect: 'replaces' },
  set_clock: { control: 'setClock', title: 'Set the clock', effect: 'replaces' },
  read_request: { control: 'logEntry', title: 'Read a request with its bodies', effect: 'reads' },
  send_again: { control: 'sendAgain', title: 'Send a request again', effect: 'replaces' },
  rewind: { control: 'rewind', title: 'Return to before a request', effect: 'replaces' },
  diff_moment: { control: 'diff', title: 'Compare the data with that of a moment', effect: 'reads' },
  undo: { control: 'undo', title: 'Undo the last change', effect: 'replaces' },
  redo: { control: 'redo', title: 'Redo an undone change', effect: 'replaces' },
  list_changes: { control: 'steps', title: 'List what can be undone', effect: 'reads' },
  list_snapshots: { control: 'snapshots', title: 'List snapshots', effect: 'reads' },
  save_snapshot: { control: 'saveSnapshot', title: 'Save a snapshot', effect: 'replaces' },
  load_snapshot: { control: 'loadSnapshot', title: 'Load a snapshot', effect: 'replaces' },
  delete_snapshot: { control: 'deleteSnapshot', title: 'Delete a snapshot', effect: 'replaces' },
  clear_log: { control: 'clearLog', title: 'Empty the log', effect: 'replaces' },
  reset: { control: 'reset', title: 'Reset the mock', effect: 'replaces' },
} as const satisfies Record<string, ControlTool>

export const annotationsOf = (effect: Effect) => ({
  readOnlyHint: effect === 'reads',
  destructiveHint: effect === 'replaces',
  // A second call with the same arguments may change more, and nothing outside of the mock is reached.
  ...(effect === 'reads' && { idempotentHint: true }),
  openWorldHint: false,
})

/** A field of every tool that reads: how a long answer is read on. */
const continueAt = z
  .int()
  .min(0)
  .describe('to read on: the number that a cut answer gave, with all other arguments as before')
  .optional()

export const readOn = { continueAt }

/** The input of `list_possible_outcomes`. */
export const outcomesInput = z.strictObject({
  target: z
    .string()
    .describe('only those of this operation, handler or named scenario, e.g. createProject')
    .optional(),
  ...readOn,
})

/** The input of `read_log`. */
export const logInput = z.strictObject({
  before: z.int().min(1).describe('only requests with a smaller id').optional(),
  limit: z.int().min(1).max(200).describe('this many at most, the newest ones (default: 20)').optional(),
  failed: z.boolean().describe('only responses with a status from 400, and requests without one').optional(),
  ...readOn,
})

/** The characters of an answer that are sent at most. */
export const maxAnswer = 20_000

/** A part of a long text, with a line that says how to read on. */
export function partOf(text: string, start = 0): string {
  if (start >= text.length && start > 0) return `The answer has ${text.length} characters only.`
  const end = start + maxAnswer
  if (end >= text.length) return text.slice(start)
  const rest = text.length - end
  return `${text.slice(start, end)}\n… ${rest} more characters. Call the tool again with continueAt: ${end} to read on.`
}
