import * as calls from './call-entries.js'
import type { Controls } from './controls.js'
import * as data from './data-entries.js'
import * as forcing from './forcing-entries.js'
import * as log from './log-entries.js'
import * as personas from './persona-entries.js'
import type { SpaceControls } from './space-entries.js'
import * as spaces from './space-entries.js'
import * as state from './state-entries.js'
import * as steps from './step-entries.js'
import * as timing from './timing-entries.js'

/** The controls over HTTP. A mock in a page or a test has no spaces. */
type AllControls = Omit<Controls, 'onChange'> & { spaces: SpaceControls }

/** The controls over HTTP. Server, client and workbench use this table, which loads no schemas. */
const endpoints = {
  ...personas.endpoints,
  ...data.endpoints,
  ...forcing.endpoints,
  ...timing.endpoints,
  ...state.endpoints,
  ...steps.endpoints,
  ...log.endpoints,
  ...calls.endpoints,
  ...spaces.endpoints,
}

export type ControlName = keyof typeof endpoints

export const controlNames = Object.keys(endpoints) as ControlName[]

/** The method and path of each control. */
export const controlEndpoints = Object.fromEntries(
  controlNames.map((name) => [name, endpoints[name][0]]),
) as { [Name in ControlName]: (typeof endpoints)[Name][0] }

/** Whether a control changes nothing. */
export const isReading = (name: ControlName): boolean =>
  /^(GET |POST \/__dev\/calls)/.test(controlEndpoints[name])

type MemberAt<Path> = Path extends keyof AllControls
  ? AllControls[Path]
  : Path extends `${infer Group extends keyof AllControls}.${infer Name}`
    ? Name extends keyof AllControls[Group]
      ? AllControls[Group][Name]
      : never
    : never

export type ControlOutput<Name extends ControlName> =
  MemberAt<(typeof endpoints)[Name][1]> extends (...args: never[]) => Promise<infer Output> ? Output : never

/** The member and the names of its arguments: for `delay.set`, `['delay', 'set']` and `['ms', 'target']`. */
export function callOf(name: ControlName): { group: string; member: string | undefined; fields: string[] } {
  const [, path, ...fields] = endpoints[name] as readonly [string, string, ...string[]]
  const [group = '', member] = path.split('.')
  return { group, member, fields }
}

/** Streams the log as server-sent events: `request` for an entry, `change` for a changed control. */
export const followPath = '/__dev/log/follow'

/** The header or cookie that names the space of a request. */
export const spaceHeader = 'x-mock-space'

/** The fault of a space's name, if it is invalid. */
export const spaceNameFault = (name: string): string | undefined =>
  /^[A-Za-z0-9._-]{1,64}$/.test(name)
    ? undefined
    : `"${name}" is not the name of a space: ${spaceHeader} takes 1 to 64 of A-Z a-z 0-9 . _ - .`

/** The header of calls for the mock in a page instead of the server's. */
export const pageHeader = 'x-mock-page'

/** The header with the step of a control that changed the mock, as JSON. */
export const stepHeader = 'x-mock-step'

/** The header of every response of the control plane. It distinguishes a mock from other services. */
export const controlHeader = 'x-mock-control'
