import { defaultTeamLimits } from '../../../contract/limits.js'
import { exampleOf } from '../../controls/control-commands.js'
import { recordHint } from './found-record.js'
import { refusePersona } from './persona-verbs.js'
import {
  type BoxContext,
  call,
  type Find,
  has,
  maxFound,
  refuse,
  refuseMore,
  type Suggestion,
} from './suggestion.js'

const renamed = (words: readonly string[], name: string, { records }: BoxContext): Suggestion[] => {
  const found = records.filter(
    (record) => record.kind === 'projects' && has(`${record.name} ${record.key}`, words),
  )
  return found.slice(0, maxFound).map((record) => {
    const hint = recordHint(record, found)
    const input = (value: string) => ({ kind: 'projects', key: record.key, fields: { name: value } })
    if (name) return call('Edit', 'setRecord', input(name), { hint, name: record.name })
    return {
      ...call('Edit', 'setRecord', input('NAME')),
      text: `Rename ${record.name}`,
      hint: `edits its name · ${hint}`,
      action: { show: 'record', record, field: 'name' },
    }
  })
}

/** `rename X to Y`: both may have a "to". Which one it is says the record that there is, or else the last one. */
export const rename: Find = ({ words }, context) => {
  const splits = words.flatMap((word, i) => (i > 0 && /^to$/i.test(word) ? [i] : [])).toReversed()
  const all = [...splits.map((at) => [words.slice(0, at), words.slice(at + 1).join(' ')] as const)]
  const isWhole = (found: readonly string[]) =>
    context.records.some(({ name }) => name.toLowerCase() === found.join(' ').toLowerCase())
  const suggestions = all
    .toSorted(([a], [b]) => Number(isWhole(b)) - Number(isWhole(a)))
    .flatMap(([found, name]) => renamed(found, name, context))
  return suggestions.length > 0 ? suggestions : renamed(words, '', context)
}

/** `project set p2 --name NAME`, as the command. */
export const setProject: Find = (sentence, context) => {
  const [key = '', flagName, ...value] = sentence.words
  if (flagName !== undefined && !/^--name(=|$)/.test(flagName)) return rename(sentence, context)
  const name = flagName?.startsWith('--name=') ? [flagName.slice(7), ...value].join(' ') : value.join(' ')
  if (value.some((word) => word.startsWith('--'))) return refuseMore(value, '--name NAME')
  return renamed([key], name, context)
}

/** `1000 projects`, in the team of the persona that one is, or `for` another one. */
export const generate: Find = ({ rest, callers, unknownCaller }, { you, personas }) => {
  const [count = '', ...what] = rest.filter((word) => word !== 'add')
  if (!/^\d[\d,]*$/.test(count) || !/^(project|row|record)s?$/.test(what.join(' '))) return []
  if (unknownCaller !== undefined) return refusePersona(unknownCaller, personas)
  const number = Number(count.replaceAll(',', ''))
  const most = defaultTeamLimits.projects
  if (number < 1 || number > most)
    return refuse(`A team can have 1 to ${most.toLocaleString('en')} projects.`, exampleOf('generate'))
  return callers.flatMap((session = you) =>
    session === undefined
      ? refuse('You are signed out: name a persona, whose team gets the projects.', exampleOf('generate'))
      : [call('Data', 'generateProjects', { count: number, session })],
  )
}
