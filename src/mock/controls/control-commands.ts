import * as calls from './call-entries.js'
import type { ControlName } from './control-endpoints.js'
import type { FieldType, Typed } from './control-entry.js'
import * as data from './data-entries.js'
import * as forcing from './forcing-entries.js'
import * as log from './log-entries.js'
import * as personas from './persona-entries.js'
import * as spaces from './space-entries.js'
import * as state from './state-entries.js'
import * as steps from './step-entries.js'
import * as timing from './timing-entries.js'

const typed = {
  ...personas.commands,
  ...data.commands,
  ...forcing.commands,
  ...timing.commands,
  ...log.commands,
  ...calls.commands,
  ...state.commands,
  ...steps.commands,
  ...spaces.commands,
} as const satisfies Record<ControlName, Typed>

type UsagesOf<Name extends ControlName> = keyof (typeof typed)[Name]['usages']
/** A command with its arguments: `log show <id>`. */
export type CommandUsage = { [Name in ControlName]: UsagesOf<Name> }[ControlName]
export type ControlOf<Usage extends CommandUsage> = {
  [Name in ControlName]: Usage extends UsagesOf<Name> ? Name : never
}[ControlName]

/** A command of a control, with the fields of the control's input that it fixes. */
export type ControlCommand = {
  control: ControlName
  usage: CommandUsage
  fixed: Readonly<Record<string, unknown>>
  /** The words before the arguments. */
  path: string
  /** The arguments, as `<id>`, `[target]` and `<fields...>`. */
  args: readonly string[]
}

/** How each control is typed, on the command line and in the box. The page loads this table, which has no schemas. */
export const typedControls: Readonly<Record<ControlName, Typed>> = typed

const typedList = Object.entries(typedControls) as [ControlName, Typed][]

export const commandList: readonly ControlCommand[] = typedList.flatMap(([control, { usages }]) =>
  Object.entries(usages).map(([usage, fixed]) => {
    const words = usage.split(' ')
    const args = words.filter((word) => /^[<[]/.test(word))
    const path = words.filter((word) => !args.includes(word)).join(' ')
    return { control, usage: usage as CommandUsage, fixed, path, args }
  }),
)

/** The control of each verb of the box. */
export const controlOfVerb: ReadonlyMap<string, ControlName> = new Map(
  typedList.flatMap(([control, { verbs = [] }]) => verbs.map((verb) => [verb, control] as const)),
)

/** An example of a verb of the box, or of a command of one word. */
export const exampleOf = (word: string): string | undefined =>
  typedControls[controlOfVerb.get(word) ?? (word as ControlName)]?.example

/** The names of options that differ from those of their fields. */
const optionNames: Record<string, string> = {
  orgCode: 'organization',
  teamName: 'team',
  outcomes: 'outcome',
}

/** The name of the option of a field: `errorRate` is `error-rate`. */
export const optionName = (field: string): string =>
  optionNames[field] ?? field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Of which type the values of a field are. */
export const fieldType = (control: ControlName, field: string): FieldType =>
  typedControls[control].fields?.[field] ?? 'text'
