import { controlOfVerb, exampleOf, typedControls } from '../../controls/control-commands.js'
import type { ControlName } from '../../controls/control-endpoints.js'
import { exportHandlers, saveState, snapshot } from './file-verbs.js'
import { clear, force, forceOrStart, outcomesBySpecialty, refuseStatus, scenario } from './force-verbs.js'
import { redo, reset, rewind, send, undo } from './moment-verbs.js'
import { addPersona, isSignOut, ofPersona, personasFor, signOut } from './persona-verbs.js'
import { generate, rename, setProject } from './record-verbs.js'
import { search } from './search.js'
import { readSentence, type Sentence, withoutProgram, wordsOf } from './sentence.js'
import { goToSpace, leaveSpace } from './space-verbs.js'
import { type BoxContext, type Find, refuse, type Suggestion } from './suggestion.js'
import { chaos, clock, delay } from './timing-verbs.js'
import { commandOf, otherCommand, typedCommand, usualCommand } from './typed-command.js'

// The box of the page and the terminal: the words of the command line, in any order if that is clear. It only suggests; its
// caller runs a suggestion.

/** Finds by the control that a sentence is about. The commands of other controls are taken in their own words. */
const finds: { [Name in ControlName]?: Find } = {
  addSession: addPersona,
  setScenario: forceOrStart,
  clearScenarios: clear,
  setDelay: delay,
  setChaos: chaos,
  clearChaos: chaos,
  setClock: clock,
  generateProjects: generate,
  setRecord: rename,
  rewind,
  sendAgain: send,
  saveSnapshot: snapshot,
  loadSnapshot: snapshot,
  deleteSnapshot: snapshot,
  exportHandlers,
  exportState: saveState,
  undo,
  redo,
  reset,
}

/** The words that a command stands for, and commands that their control finds in another way. */
const ofPath: { [path: string]: { find?: Find; words?: string[] } | undefined } = {
  'session sign-out': { find: signOut },
  'project set': { find: setProject },
  'delay clear': { words: ['off'] },
  'chaos clear': { words: ['off'] },
  'clock clear': { words: ['real'] },
  'snapshot save': { words: ['save'] },
  'snapshot load': { words: ['load'] },
  'snapshot delete': { words: ['delete'] },
}
/** Commands and options that the find of their control does not know: they are taken in their own words. */
const inFull =
  /^(project (add|generate|remove)|data set|state export)\b|^chaos set .*--(delay|outcome|seed)|^log send .*--(method|path|body)|^persona add .* --/

/** What finds the suggestions of a control. */
const findOf = (control: ControlName): Find | undefined =>
  finds[control] ?? (typedControls[control].takes === 'persona' ? ofPersona(control) : undefined)

/** What the first words of a sentence are about: a verb or a command, with the words after it. */
function readVerb(words: readonly string[]): { verb: string; find: Find; rest: string[] } | undefined {
  const command = commandOf(words)
  if (command) {
    const { path, control } = command
    const rest = words.slice(path.split(' ').length)
    const { find, words: before = [] } = ofPath[path] ?? {}
    if (path === 'log' && rest.join(' ') === '--clear') return { verb: 'clear', find: clear, rest: ['log'] }
    const isTyped = inFull.test(`${path} ${rest.join(' ')}`)
    const typed = typedCommand(command)
    const own = find ?? findOf(control)
    if (isTyped || !own) return { verb: path, find: typed, rest }
    /** The own words of a command come last: the mock says what is wrong with them. */
    const ownOrTyped: Find = (sentence, context) => {
      const found = own(sentence, context)
      const isOther = found.length === 0 && rest.length > 0
      return isOther ? typed(readSentence(rest, context.personas), context) : found
    }
    return { verb: path, find: ownOrTyped, rest: [...before, ...rest] }
  }
  const other = otherCommand(words)
  if (other) return { verb: other.path, find: other.find, rest: words.slice(2) }
  return ofVerbs(words)
}

/** What is found by a verb of two words, and then by one of one word: \`end session\` may be about what is forced on it. */
function ofVerbs(words: readonly string[]): { verb: string; find: Find; rest: string[] } | undefined {
  const one = ofVerb(words)
  const verb = words.slice(0, 2).join(' ').toLowerCase()
  const control = words.length > 1 ? controlOfVerb.get(verb) : undefined
  const own = control && findOf(control)
  if (!own) return one
  const find: Find = (sentence, context) => [
    ...own(sentence, context),
    ...(one?.find(readSentence(one.rest, context.personas, one.verb), context) ?? []).filter(
      ({ action }) => action,
    ),
  ]
  return { verb, find, rest: words.slice(2) }
}

function ofVerb([verb = '', ...rest]: readonly string[]):
  | { verb: string; find: Find; rest: string[] }
  | undefined {
  const word = verb.toLowerCase()
  if (word === 'leave') return { verb: word, find: leaveSpace, rest }
  if (word === 'space') return { verb: word, find: goToSpace, rest }
  if (word === 'snapshot') return { verb: word, find: snapshot, rest }
  const control = controlOfVerb.get(word)
  const usual = control && usualCommand(control)
  const find = control && (findOf(control) ?? (usual && typedCommand(usual)))
  if (!find) return undefined
  return { verb: word, find, rest: /^(save|load)$/.test(word) ? [word, ...rest] : rest }
}

/** A sentence without a verb: `300 ms list`, `sign out`, `empty`, `409 create`, `und`. */
function withoutVerb(sentence: Sentence, context: BoxContext): Suggestion[] {
  const { words, delay: typed } = sentence
  const isDelay = typed?.hasUnit || words.some((word) => word.toLowerCase() === 'delay')
  const [word = '', ...others] = words.map((each) => each.toLowerCase())
  const isShort = word.length > 1 && others.length === 0
  const isBegun = (verb: string) => isShort && verb.startsWith(word) && verb !== word
  const nothing = readSentence([], context.personas)
  const found = [
    ...(isDelay ? delay(sentence, context) : []),
    ...(isSignOut([word, ...others]) && context.you !== undefined ? signOut(sentence, context) : []),
    ...scenario(sentence, context),
    ...force(sentence, context),
    ...generate(sentence, context),
    ...Object.entries({ undo, redo, reset, clear }).flatMap(([verb, find]) =>
      isBegun(verb) ? find(nothing, context) : [],
    ),
  ]
  return found.length > 0 ? found : refuseStatus(sentence, context)
}

function beginnings(context: BoxContext): Suggestion[] {
  const { selected, personas, you } = context
  const read = (...words: string[]) => readSentence(words, personas)
  const own = context.targets.find(({ target }) => target === selected?.target)
  const [special] = own ? outcomesBySpecialty(own, context.targets) : []
  return [
    ...(own && special !== undefined
      ? force(read(String(special)), context).slice(0, you === undefined ? 2 : 3)
      : []),
    ...(selected ? send(read(), context).slice(0, 2) : []),
    ...(selected ? rewind(read(String(selected.id)), context).slice(0, 1) : []),
    ...undo(read(), context).filter(({ action }) => action),
    ...personasFor([], context).slice(0, 3),
    ...scenario(read('empty'), context),
  ]
}

/** A number alone may be the id of a request, a status, or how many projects to add. */
const bareNumber = (words: readonly string[], context: BoxContext): Suggestion[] =>
  words.length === 1 ? generate(readSentence([...words, 'projects'], context.personas), context) : []

/** The suggestions for a text, the best first. */
export function suggest(text: string, context: BoxContext): Suggestion[] {
  const words = wordsOf(withoutProgram(text))
  if (words.length === 0) return beginnings(context)
  const lower = words.map((word) => word.toLowerCase())
  const said = readVerb(words)
  const own = said
    ? said.find(readSentence(said.rest, context.personas, said.verb), context)
    : withoutVerb(readSentence(words, context.personas), context)
  const found = [...own, ...search(lower, context)]
  const all = [...found, ...bareNumber(words, context).filter(({ action }) => action || found.length === 0)]
  const usage = exampleOf(lower[0] ?? '')
  if (all.length === 0 && usage !== undefined) {
    const typed = words.join(' ')
    return refuse(`"${typed}" does nothing now.`, typed === usage ? undefined : usage)
  }
  const seen = new Set<string>()
  return all.filter((suggestion) => {
    const key = JSON.stringify(suggestion.action ?? suggestion.text)
    return !seen.has(key) && seen.add(key)
  })
}
