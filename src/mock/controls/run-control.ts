import type { SentCookies } from '../engine/sent-request.js'
import { ControlError } from '../state/control-error.js'
import { type ControlName, callOf } from './control-endpoints.js'
import type { Controls } from './controls.js'
import type { SpaceControls } from './space-entries.js'
import type { StepView } from './step-view.js'

/**
 * The context of a call over HTTP.
 * @property signal aborted when the client has gone
 */
export type ControlContext = { spaces?: SpaceControls; caller?: SentCookies; signal?: AbortSignal }

/** A mock in a page or a test has no spaces. */
const refuseSpaces = async () => {
  throw new ControlError('Only a mock that is served has spaces.')
}
const noSpaces: SpaceControls = { list: async () => [], create: refuseSpaces, remove: refuseSpaces }

type Call = (...args: unknown[]) => Promise<unknown>

/** What a control has done: its output, and the step if it changed the mock. */
export type Ran = { output: unknown; step?: StepView }

/** Runs a control by its name, with the fields of its input. */
export type RunControl = (name: ControlName, input?: unknown, context?: ControlContext) => Promise<Ran>

/** The controls of a running mock, which can be run by their names. */
export type RunnableControls = Controls & { run: RunControl }

/** Calls a control with the validated fields of its input. */
export async function callControl(
  name: ControlName,
  controls: Controls,
  input: unknown,
  { spaces = noSpaces, caller, signal }: ControlContext = {},
): Promise<unknown> {
  const { group, member, fields } = callOf(name)
  const given = Object.entries(Object(input))
  const others = given.filter(([field]) => !fields.includes(field))
  const values: Record<string, unknown> = {
    ...Object.fromEntries(given),
    // A state file may be any value.
    '...': fields.length === 1 ? input : Object.fromEntries(others),
    caller,
    signal,
  }
  const part: unknown = Reflect.get({ ...controls, spaces }, group)
  const call = (member === undefined ? part : Reflect.get(Object(part), member)) as Call
  return call.apply(
    part,
    fields.map((field) => values[field]),
  )
}
