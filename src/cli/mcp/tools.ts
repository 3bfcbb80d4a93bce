import type * as z from 'zod'
import { type ControlName, controlNames, isReading } from '../../mock/controls/control-endpoints.js'
import type { ToolEffect } from '../../mock/controls/control-entry.js'
import { controlTable } from '../../mock/controls/control-table.js'

/** The tool of a control, whose words and input are those of the control table. */
type ControlTool = { control: ControlName; about: string; input: z.ZodObject; effect: ToolEffect }

/** The tools that call one control each, by name. */
export const controlTools: Record<string, ControlTool> = Object.fromEntries(
  controlNames.flatMap((control) => {
    const {
      tool,
      about,
      input,
    }: { tool: string | { name: string; effect?: ToolEffect }; about: string; input: z.ZodType } =
      controlTable[control]
    if (typeof tool === 'string') return []
    const usual = isReading(control) ? 'reads' : 'sets'
    return [[tool.name, { control, about, input: input as z.ZodObject, effect: tool.effect ?? usual }]]
  }),
)

/** The hints of a tool: each that differs from its default, and that nothing outside of the mock is reached. */
export const annotationsOf = (effect: ToolEffect) => ({
  ...(effect === 'reads' ? { readOnlyHint: true } : { destructiveHint: effect === 'destroys' }),
  ...(effect === 'sets' && { idempotentHint: true }),
  openWorldHint: false,
})
