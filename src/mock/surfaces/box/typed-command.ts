import {
  type ControlCommand,
  commandList,
  fieldType,
  optionName,
  typedControls,
} from '../../controls/control-commands.js'
import { type ControlName, isReading } from '../../controls/control-endpoints.js'
import { lineOf, wordsOfPath } from './command-line.js'
import { call, type Find, refuse, refuseMore, type Suggestion } from './suggestion.js'

/** Commands of files of the machine, which a page cannot read or write. The body of a custom response is a file, too. */
const ofFiles =
  /^(state (load|from-database|import)|handlers export|state save|log export)\b|^scenario set .*--(body|status|header|unchecked)\b/
/** Commands of no control. */
const others = /^(state (?:from-database|import))\b/i

/** Why the box does not call a control: its command, with its words, is offered to copy. */
function reasonToCopy(control: ControlName, command: string): string | undefined {
  if (ofFiles.test(command)) return filesReason
  return isReading(control) ? 'it prints what the views show' : undefined
}

/** The command of the table that some words begin with. */
export const commandOf = (words: readonly string[]): ControlCommand | undefined =>
  commandList
    .filter(({ path }) => path === words.slice(0, path.split(' ').length).join(' ').toLowerCase())
    .toSorted((a, b) => b.path.length - a.path.length)[0]

/** The first command of a control. */
export const usualCommand = (control: ControlName): ControlCommand | undefined =>
  commandList.find((command) => command.control === control)

/** A command that is of no control: to copy. */
export function otherCommand(words: readonly string[]): { path: string; find: Find } | undefined {
  const path = others.exec(words.join(' '))?.[1]?.toLowerCase()
  const find: Find = ({ words: rest }) => toCopy(path ?? '', rest, filesReason)
  return path === undefined ? undefined : { path, find }
}

const filesReason = 'it reads or writes a file of your machine'

/** A command that the box does not do: Enter copies it. */
export function toCopy(path: string, words: readonly string[], reason: string): Suggestion[] {
  const text = lineOf(...wordsOfPath(path), ...words)
  if (text === undefined) return []
  const hint = `Enter copies it: ${reason}`
  return [{ group: 'A command to copy', text, hint, action: { page: 'copy' }, command: text }]
}

/** A command of the table in its own words: it is called with its arguments and options. */
export const typedCommand =
  ({ control, fixed, path, args }: ControlCommand): Find =>
  ({ words }) => {
    const reason = reasonToCopy(control, [path, ...words].join(' '))
    if (reason !== undefined) return toCopy(path, words, reason)
    const usage = [path, ...args].join(' ')
    const { values, input, unknown } = readOptions(control, words)
    if (unknown.length > 0) return refuseMore(unknown, usage)
    for (const [i, arg] of args.entries()) {
      const name = arg.replaceAll(/\W/g, '')
      const given = arg.includes('...') ? values.slice(i) : values.slice(i, i + 1)
      if (given.length === 0 && arg.startsWith('<')) return refuse(`"${path}" needs ${name}.`, usage)
      const value = parsedValue(control, name, given)
      if (value instanceof Error) return refuse(value.message, usage)
      if (given.length > 0) input[name] = value
    }
    const isMore = values.length > args.length && !args.some((arg) => arg.includes('...'))
    if (isMore) return refuseMore(values.slice(args.length), usage)
    return [call('Command', control, { ...fixed, ...input })]
  }

/** Splits the words of a command into values and the options of its control. */
function readOptions(control: ControlName, words: readonly string[]) {
  const input: Record<string, unknown> = {}
  const [values, unknown]: [string[], string[]] = [[], []]
  for (let i = 0; i < words.length; i++) {
    const [, name, inWord] = /^--([a-z-]+)(?:=(.*))?$/s.exec(words[i] ?? '') ?? []
    const field = name && fieldOf(control, name)
    if (!field) (name ? unknown : values).push(words[i] ?? '')
    else if (fieldType(control, field) === 'flag') input[field] = true
    else {
      const value = parsedValue(control, field, [inWord ?? words[++i] ?? ''])
      if (value instanceof Error) unknown.push(words[i] ?? '')
      else input[field] = value
    }
  }
  return { values, input, unknown }
}

/** The field of an option: that of `error-rate` is `errorRate`. */
const fieldOf = (control: ControlName, option: string): string | undefined =>
  Object.keys(typedControls[control].fields ?? {}).find((field) => optionName(field) === option)

function parsedValue(control: ControlName, field: string, given: readonly string[]): unknown {
  const type = fieldType(control, field)
  const [text = ''] = given
  if (type === 'number') {
    const isNumber = /^\d+(\.\d+)?$/.test(text)
    return isNumber ? Number(text) : new Error(`"${text}" is not a number.`)
  }
  if (type === 'list') return text.split(',').filter(Boolean)
  if (type !== 'fields') return text
  const fields = given.map((each) => /^([^:=]+)(:?)=(.*)$/s.exec(each) ?? [each])
  const wrong = fields.find((found) => found.length === 1)
  if (wrong) return new Error(`"${wrong[0]}" is not a field, as name=text or name:=json.`)
  try {
    return Object.fromEntries(
      fields.map(([, name, colon, value = '']) => [name, colon ? JSON.parse(value) : value]),
    )
  } catch {
    return new Error('The value of a field is not JSON: write name=text for a text.')
  }
}
