import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import completion from '@bomb.sh/tab'
import type { Argument, Command, Option } from 'commander'
import { createControlClient } from '../mock/surfaces/control-client.js'
import { urlOf } from './options.js'

type Values = [value: string, description: string][]

/**
 * Prints the completions of some words, for the script of a shell. Values such as personas are those of the running mock; if
 * none answers, there are none.
 * @param program with the command that the words name
 * @param words the last one is being entered
 */
export async function completeWords(program: Command, words: string[]): Promise<void> {
  const values = await mockValues(words)
  const current = words.at(-1) ?? ''
  const walk = (command: Command, path: string[]): void => {
    const text = command.summary() || command.description()
    const node = path.length === 0 ? completion : completion.command(path.join(' '), text)
    const giverOf = (each: Option | Argument) => (add: (value: string, description: string) => void) => {
      for (const [value, description] of valuesFor(each, path, values, current)) add(value, description)
    }
    const help = command.createHelp()
    for (const option of [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)]) {
      const [name, about, short] = [option.name(), option.description, option.short?.slice(1)]
      if (option.required || option.optional) node.option(name, about, giverOf(option), short)
      else node.option(name, about, short)
    }
    for (const each of command.registeredArguments) node.argument(each.name(), giverOf(each), each.variadic)
    for (const each of command.commands) walk(each, [...path, each.name()])
  }
  walk(program, [])
  completion.parse(words)
}

function valuesFor(
  each: Option | Argument,
  path: string[],
  values: Record<string, Values>,
  current: string,
): Values {
  if (each.argChoices) return each.argChoices.map((choice) => [choice, ''])
  const text = 'flags' in each ? each.flags : each.name()
  if (/file|folder|dir/.test(text)) return filesLike(current)
  const group = (path[0] === 'mock' ? path[1] : path[0]) ?? ''
  if (group === 'snapshot' || group === 'space') return values[group] ?? []
  if (/persona/.test(text) || ['session', 'persona'].includes(group)) return values.persona ?? []
  return values[each.name()] ?? []
}

/** The files that a path begins with; a folder ends with a slash. */
function filesLike(path: string): Values {
  const folder = path.endsWith('/') ? path : join(dirname(path), '/')
  try {
    return readdirSync(folder, { withFileTypes: true }).map((each) => {
      const name = path.includes('/') ? join(folder, each.name) : each.name
      return [each.isDirectory() ? `${name}/` : name, '']
    })
  } catch {
    return []
  }
}

/** The names in a running mock: personas, operations, outcomes, snapshots, spaces. */
async function mockValues(words: string[]): Promise<Record<string, Values>> {
  const names = (all: string[]): Values => all.map((name) => [name, ''])
  const { '--url': url } = Object.fromEntries(words.map((word, i) => [word, words[i + 1]]))
  try {
    const { call } = createControlClient(urlOf({ url }), undefined, 1000)
    const [{ sessions }, targets] = [await call('sessions'), await call('targets')]
    const { named } = await call('possibleScenarios')
    const target = targets.map(({ target, method, path }) => [target, `${method} ${path}`]) satisfies Values
    const outcomes = targets.find((each) => words.includes(each.target))?.outcomes ?? []
    return {
      persona: sessions.map(({ id, email }) => [id, email]),
      operation: target,
      target: [...target, ...Object.entries(named)],
      outcome: names(outcomes.map(String)),
      snapshot: names(await call('snapshots')),
      space: names(await call('spaces')),
    }
  } catch {
    return {}
  }
}
