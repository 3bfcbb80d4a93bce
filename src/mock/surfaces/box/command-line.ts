import { controlCharacters, shellQuote } from '../../../pages/shell-quote.js'
import { type ControlCommand, commandList, optionName } from '../../controls/control-commands.js'
import type { ControlName } from '../../controls/control-endpoints.js'

type Input = Readonly<Record<string, unknown>>

/** The commands that are not below `mock`. */
const ofTop = /^(session|undo|redo|reset)\b/

/** A command of these words. Undefined if a terminal would obey a character of it. */
export function lineOf(...words: unknown[]): string | undefined {
  const line = words.map((word) => shellQuote(String(word))).join(' ')
  return line.match(controlCharacters) ? undefined : line
}

/** The words of a path, with `mock` where it belongs. */
export const wordsOfPath = (path: string): string[] => [
  ...(ofTop.test(path) ? [] : ['mock']),
  ...path.split(' '),
]

/** The command of `npx dashboard-api` that calls a control with an input, if there is one. */
export function commandLine(control: ControlName, given: Input): string | undefined {
  // An option of another command.
  if (control === 'clearLog') return 'mock log --clear'
  const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const words = commandList
    .filter((command) => command.control === control)
    .map((command) => wordsFor(command, input))
    .find((found) => found !== undefined)
  return words && lineOf(...words)
}

/** The words of a command for an input; undefined if the command cannot express it. */
function wordsFor({ path, args, fixed }: ControlCommand, input: Input): string[] | undefined {
  const rest = { ...input }
  for (const [name, value] of Object.entries(fixed)) {
    if (rest[name] !== value) return undefined
    delete rest[name]
  }
  const words = wordsOfPath(path)
  for (const arg of args) {
    const name = arg.replaceAll(/\W/g, '')
    const value = rest[name]
    delete rest[name]
    if (value === undefined && arg.startsWith('[')) continue
    if (value === undefined || value === null) return undefined
    words.push(...(typeof value === 'object' ? fieldsOf(value) : [String(value)]))
  }
  const options = Object.entries(rest).map(([name, value]) => optionOf(name, value))
  if (options.includes(undefined)) return undefined
  return [...words, ...options.flatMap((option) => option ?? [])]
}

const fieldsOf = (record: object): string[] =>
  Object.entries(record).map(([name, value]) =>
    typeof value === 'string' ? `${name}=${value}` : `${name}:=${JSON.stringify(value)}`,
  )

function optionOf(name: string, value: unknown): string[] | undefined {
  const flag = `--${optionName(name)}`
  if (value === false) return []
  if (value === true) return [flag]
  if (name === 'times' && value === null) return ['--until-cleared']
  if (name === 'session' && value === null) return ['--no-session']
  if (name === 'permissions') return [flag, String(value)]
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined
  // A value that begins with "-" would be taken for a flag.
  return [value]
    .flat()
    .flatMap((each) => (/^-/.test(String(each)) ? [`${flag}=${each}`] : [flag, String(each)]))
}
