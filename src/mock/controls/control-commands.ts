import { type ControlName, controlEndpoints } from './control-endpoints.js'

// The controls as commands, and the verbs of the box. The page loads this table, which has no schemas.

/**
 * Each command by its path and arguments, which are named as the fields of the control's input: the control, or with fields
 * that the command fixes. Other fields are options.
 */
export const controlCommands = {
  'session use [id]': 'useSession',
  'session sign-out': { control: 'useSession', input: { id: null } },
  'session current': 'sessions',
  'persona list': 'sessions',
  'persona add <id>': 'addSession',
  'persona expire <id>': 'expireSession',
  'persona remove <id>': 'removeSession',
  'project list': { control: 'data', input: { kind: 'projects' } },
  'project add <name>': { control: 'addRecord', input: { kind: 'projects' } },
  'project set <id>': { control: 'setRecord', input: { kind: 'projects' } },
  'project remove <id>': { control: 'removeRecord', input: { kind: 'projects' } },
  'data add <kind> <record...>': 'addRecord',
  'data set <kind> <key> <fields...>': 'setRecord',
  'data list <kind>': 'data',
  'data remove <kind> <key>': 'removeRecord',
  'scenario set <target> [outcome]': 'setScenario',
  'scenario list': 'scenarios',
  'scenario clear [target]': 'clearScenarios',
  'delay set <ms> [target]': 'setDelay',
  'delay show': 'delay',
  'delay clear [target]': { control: 'setDelay', input: { ms: null } },
  'chaos set [target]': 'setChaos',
  'chaos show': 'chaos',
  'chaos clear [target]': 'clearChaos',
  'clock set <at>': 'setClock',
  'clock show': 'clock',
  'clock clear': { control: 'setClock', input: {} },
  'handlers list': 'targets',
  'handlers export [file]': 'exportHandlers',
  reset: 'reset',
  'undo [id]': 'undo',
  'redo [id]': 'redo',
  'snapshot save <name>': 'saveSnapshot',
  'snapshot load <name>': 'loadSnapshot',
  'snapshot delete <name>': 'deleteSnapshot',
  'snapshot list': 'snapshots',
  'space create <name>': 'createSpace',
  'space list': 'spaces',
  'space remove <name>': 'removeSpace',
  'state save <file>': 'exportState',
  'state export': 'exportState',
  'state load <file>': 'loadState',
  changes: 'steps',
  log: 'log',
  'log show <id>': 'logEntry',
  'log send <id>': 'sendAgain',
  'log rewind <id>': 'rewind',
  'log diff <id>': 'diff',
  'log export': 'har',
} as const satisfies Record<string, ControlName | { control: ControlName; input: Record<string, unknown> }>

export type CommandUsage = keyof typeof controlCommands
export type ControlOf<Usage extends CommandUsage> = (typeof controlCommands)[Usage] extends infer Form
  ? Form extends ControlName
    ? Form
    : Form extends { control: infer Name extends ControlName }
      ? Name
      : never
  : never

/** A command, with the fields of the control's input that it fixes. */
export type ControlCommand = {
  control: ControlName
  fixed: Readonly<Record<string, unknown>>
  /** The words before the arguments. */
  path: string
  /** The arguments, as `<id>`, `[target]` and `<fields...>`. */
  args: readonly string[]
}

export function commandOf(usage: CommandUsage): ControlCommand {
  const form = controlCommands[usage]
  const words = usage.split(' ')
  const args = words.filter((word) => /^[<[]/.test(word))
  const path = words.filter((word) => !args.includes(word)).join(' ')
  return typeof form === 'string'
    ? { control: form, fixed: {}, path, args }
    : { control: form.control, fixed: form.input, path, args }
}

export const commandList: readonly ControlCommand[] = (Object.keys(controlCommands) as CommandUsage[]).map(
  commandOf,
)

/** The verbs of the box, beside the commands: the first is the usual one. */
export const controlVerbs: { readonly [Name in ControlName]?: readonly string[] } = {
  useSession: ['be', 'as'],
  expireSession: ['expire'],
  setScenario: ['force'],
  clearScenarios: ['clear', 'end'],
  setDelay: ['delay'],
  setChaos: ['chaos'],
  setClock: ['clock'],
  setRecord: ['rename'],
  saveSnapshot: ['save'],
  loadSnapshot: ['load'],
  sendAgain: ['send', 'again'],
  rewind: ['before', 'after'],
}

/** The names of options that differ from those of their fields. */
const optionNames: Record<string, string> = {
  orgCode: 'organization',
  teamName: 'team',
  outcomes: 'outcome',
}

/** The name of the option of a field: `errorRate` is `error-rate`. */
export const optionName = (field: string): string =>
  optionNames[field] ?? field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The fields whose values are numbers, true, and lists. */
const typedFields = {
  number: ['times', 'errorRate', 'seed', 'offset', 'limit', 'since'],
  flag: ['after', 'ticking', 'dependants'],
  list: ['permissions', 'outcomes'],
  fields: ['record', 'fields'],
} as const

export type FieldType = keyof typeof typedFields | 'text'

/** Of which type the values of a field are. The ids of requests and steps are numbers, those of personas texts. */
export function fieldType(control: ControlName, field: string): FieldType {
  if (field === 'id' && /undo|redo|steps|log/.test(controlEndpoints[control])) return 'number'
  const found = Object.entries(typedFields).find(([, names]) => (names as readonly string[]).includes(field))
  return (found?.[0] as FieldType) ?? 'text'
}
