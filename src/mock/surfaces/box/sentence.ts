import { isDelay } from '../../engine/delays.js'
import type { Persona } from '../../state/listed-personas.js'
import { bestFirst } from './best-first.js'

/** What is typed, with its words taken once. Names keep their case in `words`. */
export type Sentence = {
  /** The words after the verb. */
  words: readonly string[]
  /** The verb: a command of the table, or another word that begins a sentence. */
  verb?: string
  /** The words, in lower case, that are neither a limit nor of a persona. */
  rest: readonly string[]
  /** The number of requests; null for until cleared. */
  times?: number | null
  /** The personas that the words may mean; undefined is every caller. */
  callers: readonly (string | undefined)[]
  /** A name that no persona has. */
  unknownCaller?: string
  /** The delay in milliseconds; null for none. */
  delay?: { ms: string | null; isValid: boolean; hasUnit: boolean }
  /** The words, in lower case, without that of the delay. */
  undelayed: readonly string[]
}

/** The words of a text. In quotes, several are one. */
export const wordsOf = (text: string): string[] =>
  [...text.matchAll(/(?:^|(?<=\s))(?:'([^']*)'|"([^"]*)")(?=\s|$)|\S+/g)].map(
    ([word, single, double]) => single ?? double ?? word,
  )

/** The words before a command of the mock. */
export const withoutProgram = (text: string): string =>
  text.replace(/^\s*(?:npx\s+)?(?:dashboard-api\s+)?(?:mock\s+)?/, '')

/** The personas whose id contains a text, the best first. */
export const personasNamed = (text: string, personas: readonly Persona[]): Persona[] =>
  bestFirst(
    personas.filter(({ id }) => id.toLowerCase().includes(text.toLowerCase())),
    ({ id }) => id,
    [text.toLowerCase()],
  )

/** Takes the words of a sentence. @param verb its first words, if they are a verb */
export function readSentence(
  words: readonly string[],
  personas: readonly Persona[],
  verb?: string,
): Sentence {
  const lower = words.map((word) => word.toLowerCase())
  return {
    words,
    ...(verb !== undefined && { verb }),
    ...takeLimits(words, personas),
    ...takeDelay(lower),
  }
}

/** The uses and the persona of a forced outcome: `once`, `3 times`, `for acme-owner`, or the options of the command. */
function takeLimits(words: readonly string[], personas: readonly Persona[]) {
  const limits: Pick<Sentence, 'times' | 'callers' | 'unknownCaller'> = { callers: [undefined] }
  const rest: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]?.toLowerCase() ?? ''
    const next = words[i + 1] ?? ''
    if (/^(once|next)$/.test(word)) limits.times = 1
    else if (word === 'twice') limits.times = 2
    else if (/^(always|until|cleared|--until-cleared)$/.test(word)) limits.times = null
    else if (isCount(word) && /^times?$/.test(next.toLowerCase())) {
      limits.times = Number(word)
      i += 1
    } else if (word === '--times' && isCount(next)) {
      limits.times = Number(next)
      i += 1
    } else if (/^(for|--session)$/.test(word) && next) {
      const found = personasNamed(next, personas).map(({ id }) => id)
      if (found.length === 0) limits.unknownCaller = next
      limits.callers = found.includes(next) ? [next] : found.slice(0, 3)
      i += 1
    } else if (!/^(on|request|requests|to|the)$/.test(word)) rest.push(word)
  }
  return { ...limits, rest }
}

const isCount = (word: string) => /^[1-9]\d{0,8}$/.test(word)
const isNone = (word: string) => /^(0|none|off|clear)$/.test(word)
const looksLikeDelay = (word: string) => /^\d+(-\d+)?(ms)?$/.test(word)

/** The delay among words in any order: `300 ms list`, `list 300ms`, `200-800`, `off`. */
function takeDelay(words: readonly string[]): Pick<Sentence, 'delay' | 'undelayed'> {
  // Of several numbers, the one with a unit is the delay.
  const isOf = [(word: string, i: number) => /ms$/.test(word) || words[i + 1] === 'ms', () => true]
  const at = isOf
    .map((isUnit) => words.findIndex((word, i) => looksLikeDelay(word) && isUnit(word, i)))
    .find((index) => index >= 0)
  const index = at ?? words.findIndex(isNone)
  const word = words[index]
  const others = words.filter((each, i) => i !== index && !/^(of|on|by|ms|delay)$/.test(each))
  if (word === undefined) return { undelayed: others }
  const ms = isNone(word) ? null : word.replace(/ms$/, '')
  const hasUnit = /^\d.*ms$/.test(word) || (ms !== null && words[index + 1] === 'ms')
  return { delay: { ms, isValid: ms === null || isDelay(ms), hasUnit }, undelayed: others }
}

/** The word by which the records are to be searched that a text may be about; undefined if it has none. */
export function recordWord(text: string): string | undefined {
  const words = wordsOf(withoutProgram(text).replace(/^(rename|project\s+set)\s+/i, ''))
  const to = words.findIndex((word) => /^(to|--name)$/i.test(word))
  return (to > 0 ? words.slice(0, to) : words).toSorted((a, b) => b.length - a.length)[0]
}
