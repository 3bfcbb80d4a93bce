import type * as z from 'zod'
import type { RecordChange } from '../../store/memory/record-changes.js'

// What a control is. The controls of a group are in one file, with each part of them in an export of its own: a bundler drops
// the parts that an entry point does not use, such as schemas in a page. The other files of this folder join the groups.

/** A function of the controls of a group: `reset`, `sessions.use`. */
export type MemberPath<Members> = {
  [Group in keyof Members & string]: Members[Group] extends (...args: never[]) => unknown
    ? Group
    : `${Group}.${keyof Members[Group] & string}`
}[keyof Members & string]

/**
 * The controls over HTTP: method and path, the called function, and the fields of its input in the order of its arguments.
 * `...` is an object of all other fields, `caller` the cookies of the caller, `signal` what ends a wait. What
 * `Reading` matches changes nothing.
 */
export type Endpoints<Members> = Record<
  string,
  readonly [
    `${'GET' | 'PUT' | 'POST' | 'DELETE'} /__dev/${string}`,
    NoInfer<MemberPath<Members>>,
    ...string[],
  ]
>

/** The endpoints that change nothing. The calls take a body of any length, which no URL can hold. */
type Reading = `GET ${string}` | `POST /__dev/calls${string}`

type AnyEndpoints = Record<string, readonly [string, ...string[]]>

export type Input = Record<string, unknown>
export type Facts = { changes: readonly RecordChange[]; [fact: string]: unknown }

/** What a control will do, as a sentence without its end. @param facts the name of the record, and the step of an undo */
export type Announcement = (input: Input, facts: { name?: string; title?: string }) => string
/** What a control has done, as a clause in the past. */
export type Clause = (input: Input, facts: Facts) => string

/**
 * The words of each control that changes something: before and after. Those of undo and redo are the step's. One that has done
 * something also where it makes no step of the history is `always` said, such as a change of the spaces.
 */
export type Words<Ends extends AnyEndpoints> = {
  [Name in keyof Ends as Ends[Name][0] extends Reading ? never : Name]: {
    will: Announcement
    did: Clause | undefined
    always?: true
  }
}

/** Of which type the values of a field are on the command line. */
export type FieldType = 'text' | 'number' | 'flag' | 'list' | 'fields'

/** How a control is typed, on the command line and in the box. */
export type Typed = {
  /** Its commands, with arguments that are named as fields of its input, and the fields that each command fixes. */
  usages: Readonly<Record<string, Readonly<Input>>>
  /** The fields that are options, and the arguments that are no texts. */
  fields?: Readonly<Record<string, FieldType>>
  /** The words of the box, beside the commands: the first is the usual one. */
  verbs?: readonly string[]
  /** Whether the words after a verb may be any words about a persona. */
  takes?: 'persona'
  /** An example of the verb, for words that are refused. */
  example?: string
}
export type Commands<Ends> = { readonly [Name in keyof Ends]: Typed }

/** What the help of a command has beside the description of its control, or in its place. */
export type Help = { about?: string; examples?: string[] }
/**
 * What a tool of an agent does. `reads`: changes nothing. `sets`: a second call with the same arguments changes nothing more.
 * `adds`: a second call may change more. Both are steps of the history, which `undo` takes back. `destroys`: nothing takes it back.
 */
export type ToolEffect = 'reads' | 'sets' | 'adds' | 'destroys'
/** The tool of an agent. Its effect by default: `reads` if the control changes nothing, else `sets`. */
type Tool = { name: string; effect?: ToolEffect }

/** What each control does, for readers: its description is the help of its command and of its tool. */
export type Descriptions<Ends, Cmds extends { [Name in keyof Ends]: Typed }> = {
  [Name in keyof Ends]: {
    about: string
    input: z.ZodType
    /** Or where an agent finds the same, if the control has no tool. */
    tool: Tool | string
    help?: { [Usage in keyof Cmds[Name]['usages']]?: Help }
  }
}
