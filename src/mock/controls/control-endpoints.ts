import type { Controls, SpaceControls } from './controls.js'

/** The controls over HTTP. A mock in a page or a test has no spaces. */
type AllControls = Omit<Controls, 'onChange'> & { spaces: SpaceControls }

/** A member of `Controls`: `reset`, `sessions.use`. */
type ControlPath = {
  [Group in keyof AllControls]: AllControls[Group] extends (...args: never[]) => unknown
    ? Group
    : `${Group}.${keyof AllControls[Group] & string}`
}[keyof AllControls]

type Endpoint = `${'GET' | 'PUT' | 'POST' | 'DELETE'} /__dev/${string}`

/**
 * The controls over HTTP: method and path, the called member, and the fields of its input in the order of its arguments.
 * `...` is an object of all other fields, `caller` the cookies of the caller. Server, client and workbench use this table,
 * which loads no schemas.
 */
const endpoints = {
  about: ['GET /__dev/about', 'about'],
  sessions: ['GET /__dev/sessions', 'sessions.list', 'caller'],
  useSession: ['PUT /__dev/sessions/active', 'sessions.use', 'id'],
  addSession: ['POST /__dev/sessions', 'sessions.add', '...'],
  expireSession: ['POST /__dev/sessions/expire', 'sessions.expire', 'id'],
  removeSession: ['DELETE /__dev/sessions', 'sessions.remove', 'id'],

  data: ['GET /__dev/data', 'data.list', 'kind', '...'],
  addRecord: ['POST /__dev/data', 'data.add', 'kind', 'record'],
  setRecord: ['PUT /__dev/data', 'data.set', 'kind', 'key', 'fields'],
  removeRecord: ['DELETE /__dev/data', 'data.remove', 'kind', 'key', '...'],

  targets: ['GET /__dev/targets', 'targets.list'],
  exportHandlers: ['GET /__dev/targets/handlers', 'targets.export'],

  scenarios: ['GET /__dev/scenarios', 'scenarios.list'],
  possibleScenarios: ['GET /__dev/scenarios/possible', 'scenarios.possible'],
  setScenario: ['PUT /__dev/scenarios', 'scenarios.set', '...'],
  clearScenarios: ['DELETE /__dev/scenarios', 'scenarios.clear', 'target'],

  delay: ['GET /__dev/delay', 'delay.get'],
  setDelay: ['PUT /__dev/delay', 'delay.set', 'ms', 'target'],
  chaos: ['GET /__dev/chaos', 'chaos.get'],
  setChaos: ['PUT /__dev/chaos', 'chaos.set', '...'],
  clearChaos: ['DELETE /__dev/chaos', 'chaos.clear', 'target'],
  clock: ['GET /__dev/clock', 'clock.get'],
  setClock: ['PUT /__dev/clock', 'clock.set', '...'],
  reset: ['POST /__dev/reset', 'reset'],

  exportState: ['GET /__dev/state', 'state.export'],
  loadState: ['PUT /__dev/state', 'state.load', '...'],
  snapshots: ['GET /__dev/snapshots', 'snapshots.list'],
  saveSnapshot: ['POST /__dev/snapshots/save', 'snapshots.save', 'name'],
  loadSnapshot: ['POST /__dev/snapshots/load', 'snapshots.load', 'name'],
  deleteSnapshot: ['DELETE /__dev/snapshots', 'snapshots.delete', 'name'],

  undo: ['POST /__dev/undo', 'undo', 'id'],
  redo: ['POST /__dev/redo', 'redo', 'id'],
  history: ['GET /__dev/history', 'history'],
  steps: ['GET /__dev/steps', 'steps', 'since'],

  log: ['GET /__dev/log', 'log.read', 'since', 'limit'],
  logEntry: ['GET /__dev/log/entry', 'log.entry', 'id'],
  sendAgain: ['POST /__dev/log/send', 'log.send', 'id', '...'],
  rewind: ['POST /__dev/log/rewind', 'log.rewind', 'id', '...'],
  diff: ['GET /__dev/log/diff', 'log.diff', 'id', '...'],
  har: ['GET /__dev/log/har', 'log.har'],
  clearLog: ['DELETE /__dev/log', 'log.clear'],

  spaces: ['GET /__dev/spaces', 'spaces.list'],
  createSpace: ['POST /__dev/spaces', 'spaces.create', 'name'],
  removeSpace: ['DELETE /__dev/spaces', 'spaces.remove', 'name'],
} as const satisfies Record<string, readonly [Endpoint, ControlPath, ...string[]]>

export type ControlName = keyof typeof endpoints

export const controlNames = Object.keys(endpoints) as ControlName[]

/** The method and path of each control. */
export const controlEndpoints = Object.fromEntries(
  controlNames.map((name) => [name, endpoints[name][0]]),
) as { [Name in ControlName]: (typeof endpoints)[Name][0] }

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
