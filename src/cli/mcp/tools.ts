import * as z from 'zod'
import { controlEndpoints, controlNames } from '../../mock/controls/control-endpoints.js'
import { controlTable } from '../../mock/controls/control-table.js'

/** Whether a tool only reads, only adds, or may replace or remove something, whether or not `undo` takes it back. */
type Effect = 'reads' | 'adds' | 'replaces'

/** The tools that call one control each, by name. Their words and inputs are those of the control table. */
export const controlTools = Object.fromEntries(
  controlNames.flatMap((control) => {
    const { tool } = controlTable[control]
    if (typeof tool === 'string') return []
    const isRead = controlEndpoints[control].startsWith('GET ')
    const effect: Effect = isRead ? 'reads' : 'onlyAdds' in tool ? 'adds' : 'replaces'
    return [[tool.name, { control, title: tool.title, effect }]]
  }),
)

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
