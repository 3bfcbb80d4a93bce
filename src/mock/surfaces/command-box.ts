import type { ControlName } from '../controls/control-endpoints.js'
import { isDelay } from '../engine/delays.js'
import { outcomeText, statusOf } from '../engine/forced-text.js'
import type { Outcome } from '../engine/outcomes.js'
import type { Scenario } from '../engine/scenarios.js'
import type { TargetName } from '../engine/target-name.js'
import type { ListedTarget } from '../engine/targets.js'
import { isFailed } from '../log/is-failed.js'
import type { LogEntry } from '../log/log-entry.js'
import { defaultTimes, limitText, signedOut } from '../state/limit-words.js'
import type { Persona } from '../state/listed-personas.js'
import { bestFirst } from './best-first.js'
import { commandLine, copiedCommands, flag, words as lineOf } from './command-line.js'

// The parser of the box on the page and the terminal: the words of the command line, in any order if that is clear. It only
// suggests; its caller runs a suggestion.

/** A record that the box can find. */
export type FoundRecord = {
  kind: string
  key: string
  name: string
  /** What tells records of the same name apart, such as their team. */
  detail?: string
}

/** The current state of a mock. */
export type BoxContext = {
  targets: readonly ListedTarget[]
  personas: readonly Persona[]
  /** The persona that is signed in here. */
  you?: string
  /** Oldest first. */
  entries: readonly LogEntry[]
  scenarios: readonly Scenario[]
  /** The named scenarios with their descriptions. */
  named: Readonly<Record<string, string>>
  snapshots: readonly string[]
  records: readonly FoundRecord[]
  history: { undo?: { title: string }; redo?: { title: string } }
  /** The selected request. Words without an operation are about its operation. */
  selected?: LogEntry
}

/** The action of a suggestion: a call of a control, or a view to show. */
export type BoxAction =
  | { control: ControlName; input: Record<string, unknown> }
  | { show: 'request'; id: number }
  | { show: 'handler'; target: string }
  | { show: 'record'; record: FoundRecord; field?: string }
  /** Something that a page alone does. */
  | { page: 'copy' }
  | { page: 'download'; from: 'exportHandlers' | 'exportState'; name: string }

export type Suggestion = {
  group: string
  /** The result of Enter. */
  text: string
  /** A hint: a caller, a time, or the found record. */
  hint?: string
  /** Absent if the words are refused: the text says why. */
  action?: BoxAction
  /** The equivalent command of `npx dashboard-api`. */
  command?: string
}

type Find = (words: readonly string[], context: BoxContext) => Suggestion[]

const maxTargets = 4
const maxFound = 5

/** Says why the words do nothing. */
const refuse = (text: string, possible?: string): Suggestion[] => [
  { group: 'Not possible', text, hint: possible && `possible: ${possible}` },
]
const refusePersona = (name: string, personas: readonly Persona[]): Suggestion[] =>
  refuse(
    `There is no persona "${name}".`,
    personas
      .slice(0, 12)
      .map(({ id }) => id)
      .join(', '),
  )

/** Words that the mock would pass over are refused: they may be what the user means. */
const refuseMore = (words: readonly string[], usage: string): Suggestion[] =>
  refuse(`"${words.join(' ')}" is not understood here.`, usage)

const has = (text: string, words: readonly string[]) =>
  words.every((word) => text.toLowerCase().includes(word.toLowerCase()))

const call = (
  group: string,
  text: string,
  control: ControlName,
  input: Record<string, unknown> = {},
  hint?: string,
): Suggestion => ({ group, text, hint, action: { control, input }, command: commandLine(control, input) })

/** The outcomes of a target, the rarest among all targets first; of equally rare ones, the last to be decided. */
export function outcomesBySpecialty({ outcomes }: ListedTarget, targets: readonly ListedTarget[]): Outcome[] {
  const shares = new Map<Outcome, number>()
  for (const target of targets)
    for (const outcome of target.outcomes) shares.set(outcome, (shares.get(outcome) ?? 0) + 1)
  const share = (outcome: Outcome) => (statusOf(outcome) === undefined ? 1e6 : (shares.get(outcome) ?? 0))
  return outcomes.every((outcome) => typeof outcome !== 'string' || statusOf(outcome) === undefined)
    ? [...outcomes]
    : outcomes.toReversed().sort((a, b) => share(a) - share(b))
}

const entryText = ({ id, method, path, status, code = '', target, session = signedOut }: LogEntry) =>
  `#${id} ${method} ${path} ${status} ${code} ${target} ${session}`

/** The personas whose id contains a text, the best first. */
const personasNamed = (text: string, personas: readonly Persona[]): Persona[] =>
  bestFirst(
    personas.filter(({ id }) => has(id, [text])),
    ({ id }) => id,
    [text.toLowerCase()],
  )

type Limits = {
  rest: string[]
  times?: number
  /** The personas that the words may mean; undefined is every caller. */
  sessions: (string | undefined)[]
  /** A name that no persona has. */
  unknown?: string
  isUntilCleared: boolean
}

/** The uses and the persona of a forced outcome: `once`, `3 times`, `for acme-owner`, or the flags of the command. */
function takeLimits(words: readonly string[], { personas }: BoxContext): Limits {
  const limits: Limits = { rest: [], sessions: [undefined], isUntilCleared: false }
  for (let i = 0; i < words.length; i++) {
    const word = words[i]?.toLowerCase() ?? ''
    const next = words[i + 1] ?? ''
    if (/^(once|next)$/.test(word)) limits.times = 1
    else if (/^(always|until|cleared|--until-cleared)$/.test(word)) limits.isUntilCleared = true
    else if (/^[1-9]\d{0,8}$/.test(word) && /^times?$/.test(next.toLowerCase())) {
      limits.times = Number(word)
      i += 1
    } else if (word === '--times' && /^[1-9]\d{0,8}$/.test(next)) {
      limits.times = Number(next)
      i += 1
    } else if (/^(for|--session)$/.test(word) && next) {
      const found = personasNamed(next, personas).map(({ id }) => id)
      if (found.length === 0) limits.unknown = next
      limits.sessions = found.includes(next) ? [next] : found.slice(0, 3)
      i += 1
    } else if (!/^(on|request|requests|to|the)$/.test(word)) limits.rest.push(word)
  }
  return limits
}

const matchesOutcome = (outcome: Outcome, word: string): boolean =>
  String(statusOf(outcome) ?? outcome) === word ||
  (/^[2-5]\d?$/.test(word) && String(statusOf(outcome) ?? '').startsWith(word)) ||
  (word.length > 2 && String(outcome).toLowerCase().includes(word))

type ForcedLimits = { times: number | null; session?: string }

/** Adds the first of the limits for the persona that is signed in, unless they name one. */
const forYou = (all: ForcedLimits[], you: string | undefined): ForcedLimits[] =>
  you === undefined || all[0]?.session !== undefined
    ? all
    : [...all, { ...(all[0] as ForcedLimits), session: you }]

const force: Find = (words, context) => {
  const { rest, times, sessions, unknown, isUntilCleared } = takeLimits(words, context)
  const status = rest.find((word) => /^[2-5]\d\d$/.test(word))
  const pairs = context.targets.flatMap((target) => {
    const text = `${target.target} ${target.method} ${target.path}`.toLowerCase()
    const own = rest.filter((word) => text.includes(word))
    const offered = outcomesBySpecialty(target, context.targets)
    const outcomes =
      status !== undefined && typeof offered[0] === 'number' && !offered.includes(Number(status))
        ? [Number(status), ...offered]
        : offered
    return outcomes.flatMap((outcome, order) => {
      const ofOutcome = rest.filter((word) => matchesOutcome(outcome, word))
      if (ofOutcome.length === 0) return []
      if (!rest.every((word) => ofOutcome.includes(word) || own.includes(word))) return []
      const isSelected = target.target === context.selected?.target
      const named = rest.filter((word) => target.target.toLowerCase().startsWith(word)).length
      const rank = (isSelected && own.length === 0 ? 100 : 0) + named * 10 + own.length
      return [{ target: target.target as TargetName, outcome, rank, order }]
    })
  })
  if (pairs.length > 0 && unknown !== undefined) return refusePersona(unknown, context.personas)
  const best = pairs.sort((a, b) => b.rank - a.rank || a.order - b.order).slice(0, maxTargets)
  return best.flatMap(({ target, outcome }) => {
    const what = `${outcomeText(outcome)} on ${target}`
    const suggestion = (limits: ForcedLimits) =>
      call('Force', `${what} · ${limitText(limits)}`, 'setScenario', { target, outcome, ...limits })
    return sessions.flatMap((session) => {
      const who = session === undefined ? {} : { session }
      const { you } = context
      if (times !== undefined && times > 1) return forYou([{ times, ...who }], you).map(suggestion)
      const two = [
        { times: defaultTimes, ...who },
        { times: null, ...who },
      ]
      return forYou(isUntilCleared ? two.reverse() : two, you).map(suggestion)
    })
  })
}

const be: Find = (words, { personas }) => {
  const found = personas.filter(({ id, email, role = '', note = '' }) =>
    has(`${id} ${email} ${role} ${note}`, words),
  )
  const lower = words.map((word) => word.toLowerCase())
  return bestFirst(found, ({ id }) => id, lower)
    .slice(0, maxFound)
    .map(({ id, note, role }) => call('Be', `Be ${id}`, 'useSession', { id }, note ?? role))
}
/** `sign out`: this browser, as `be` signs it in. */
const signOut: Find = (words, { you }) =>
  you !== undefined && /^(sign-?o(ut?)?|log-?out)$/.test(words.join(''))
    ? [call('Be', 'Sign out', 'useSession', { id: null }, you)]
    : []

/** The same as a command of its own. */
const sessionUse: Find = (words, context) => {
  const found = be(words, context)
  return found.length > 0 ? found : refusePersona(words.join(' '), context.personas)
}

/** Says which requests there are, in place of one that the log does not have. */
function refuseRequest(word: string, entries: readonly LogEntry[]): Suggestion[] {
  const [first, last] = [entries[0], entries.at(-1)]
  return refuse(
    `The log has no request ${word}.`,
    first && last ? `${first.id} (the oldest) to ${last.id}` : undefined,
  )
}

const rewind =
  (after: boolean): Find =>
  ([number, ...others], { entries }) => {
    const id = number?.replace('#', '')
    const more = others.filter((word) => word !== '--after')
    if (more.length > 0) return refuseMore(more, 'before 17, after 17')
    // A request that begins with the same digits is another one.
    if (id !== undefined && !entries.some((entry) => String(entry.id) === id))
      return refuseRequest(id, entries)
    return entries
      .filter((entry) => id === undefined || String(entry.id).startsWith(id))
      .toSorted((a, b) => Number(String(b.id) === id) - Number(String(a.id) === id) || b.id - a.id)
      .slice(0, id === undefined ? 3 : maxTargets)
      .map((entry) => {
        const isAfter = after || others.includes('--after')
        const text = `Go back to just ${isAfter ? 'after' : 'before'} request ${entry.id}`
        const hint = `${entry.method} ${entry.path} ${entry.status || 'no response'}`
        return call('Go back', text, 'rewind', { id: entry.id, ...(isAfter && { after: true }) }, hint)
      })
  }

/** What a record is, and what tells it apart from others with its name. */
function recordHint({ kind, key, name, detail }: FoundRecord, records: readonly FoundRecord[]): string {
  const isAlone = records.filter((other) => other.kind === kind && other.name === name).length < 2
  return [kind, detail, !isAlone && key !== name && key].filter(Boolean).join(' · ')
}

const renamed = (words: readonly string[], name: string, { records }: BoxContext): Suggestion[] => {
  const found = records.filter(
    (record) => record.kind === 'projects' && has(`${record.name} ${record.key}`, words),
  )
  return found.slice(0, maxFound).map((record) =>
    name
      ? call(
          'Edit',
          `Rename ${record.name} to ${name}`,
          'setRecord',
          { kind: 'projects', key: record.key, fields: { name } },
          recordHint(record, found),
        )
      : {
          group: 'Edit',
          text: `Rename ${record.name}`,
          hint: `edits its name · ${recordHint(record, found)}`,
          action: { show: 'record', record, field: 'name' },
          command: lineOf('mock', 'project', 'set', record.key, '--name', 'NAME'),
        },
  )
}

/** `rename X to Y`: both may have a "to". Which one it is says the record that there is, or else the last one. */
const rename: Find = (words, context) => {
  const splits = words.flatMap((word, i) => (i > 0 && /^to$/i.test(word) ? [i] : [])).toReversed()
  const all = [...splits.map((at) => [words.slice(0, at), words.slice(at + 1).join(' ')] as const)]
  const isWhole = (found: readonly string[]) =>
    context.records.some(({ name }) => name.toLowerCase() === found.join(' ').toLowerCase())
  const suggestions = all
    .toSorted(([a], [b]) => Number(isWhole(b)) - Number(isWhole(a)))
    .flatMap(([found, name]) => renamed(found, name, context))
  return suggestions.length > 0 ? suggestions : renamed(words, '', context)
}

const projectSet: Find = ([key = '', flagName, ...value], context) => {
  const name = flagName?.startsWith('--name=') ? [flagName.slice(7), ...value].join(' ') : value.join(' ')
  if (flagName !== undefined && !/^--name(=|$)/.test(flagName))
    return rename([key, flagName, ...value], context)
  if (value.some((word) => word.startsWith('--'))) return refuseMore(value, '--name NAME')
  return renamed([key], name, context)
}

const targetsFor = (words: readonly string[], { targets, selected }: BoxContext): ListedTarget[] =>
  words.length === 0
    ? targets.filter(({ target }) => target === selected?.target)
    : targets
        .filter(({ target, method, path }) => has(`${target} ${method} ${path}`, words))
        .toSorted(
          (a, b) =>
            Number(b.target.toLowerCase().startsWith(words[0]?.toLowerCase() ?? '')) -
            Number(a.target.toLowerCase().startsWith(words[0]?.toLowerCase() ?? '')),
        )

const isNoDelay = (word: string) => /^(0|none|off|clear)$/i.test(word)
const looksLikeDelay = (word: string) => /^\d+(-\d+)?(ms)?$/i.test(word)

const delay: Find = (words, context) => {
  // Of several numbers, the one with a unit is the delay.
  const at = [/ms$/i, /./].reduce(
    (found, unit) => (found < 0 ? words.findIndex((word) => looksLikeDelay(word) && unit.test(word)) : found),
    -1,
  )
  const index = at < 0 ? words.findIndex(isNoDelay) : at
  const ms = words[index]
  if (ms === undefined) return []
  const isNone = isNoDelay(ms)
  const value = isNone ? 0 : ms.replace(/ms$/i, '')
  if (value !== 0 && !isDelay(value)) return refuse(`"${value}" is not a delay.`, usages.delay)
  const named = words.filter((word, i) => i !== index && !/^(of|on|by|ms)$/i.test(word))
  const all = call('Delay', isNone ? 'No delay' : `Delay all responses by ${value} ms`, 'setDelay', {
    ms: value,
  })
  const own = targetsFor(named, context)
    .slice(0, maxTargets)
    .map(({ target }) =>
      call('Delay', isNone ? `No delay of ${target}` : `Delay ${target} by ${value} ms`, 'setDelay', {
        ms: isNone ? null : value,
        operation: target,
      }),
    )
  return named.length === 0 ? [all, ...own] : own
}

/** A delay without the first word: `300 ms list`, `list delay 300`. */
const delayInOrder: Find = (words, context) => {
  const isAbout = words.some(
    (word, i) =>
      word === 'delay' || /^\d.*ms$/.test(word) || (word === 'ms' && looksLikeDelay(words[i - 1] ?? '')),
  )
  return isAbout
    ? delay(
        words.filter((word) => word !== 'delay'),
        context,
      )
    : []
}

const chaos: Find = ([rate = '', ...words], context) => {
  const named = words.filter((word) => !/^(of|on|%)$/.test(word))
  const chosen = named.length === 0 ? [undefined] : targetsFor(named, context).slice(0, maxTargets)
  if (/^(off|none|clear|0)$/i.test(rate))
    return chosen.map((target) =>
      call('Chaos', `End chaos${target ? ` of ${target.target}` : ''}`, 'clearChaos', {
        ...(target && { operation: target.target }),
      }),
    )
  const percent = Number(/^(\d{1,3})%?$/.exec(rate)?.[1] ?? Number.NaN)
  if (!(percent > 0 && percent <= 100)) return []
  return chosen.map((target) =>
    call('Chaos', `Let ${percent} % of ${target?.target ?? 'all requests'} fail at random`, 'setChaos', {
      errorRate: percent / 100,
      ...(target && { operation: target.target }),
    }),
  )
}

const clock: Find = ([at = '', ...others]) => {
  const isTicking = /^(--)?ticking$/i.test(others[0] ?? '')
  const more = others.slice(isTicking ? 1 : 0)
  if (more.length > 0) return refuseMore(more, usages.clock)
  if (/^(real|clear|off)$/i.test(at)) return [call('Clock', 'Return to the real time', 'setClock')]
  if (Number.isNaN(Date.parse(at)) || !at.includes('-')) return []
  const time = at.includes('T') ? at.toUpperCase() : `${at}T00:00:00Z`
  return isTicking
    ? [call('Clock', `Let the clock run from ${at}`, 'setClock', { at: time, ticking: true })]
    : [call('Clock', `Stop the clock at ${at}`, 'setClock', { at: time })]
}

const clear: Find = (words, { scenarios }) => [
  ...scenarios
    .filter(({ target }) => words.length > 0 && has(target, words))
    .map(({ target }) => call('Clear', `End what is forced on ${target}`, 'clearScenarios', { target })),
  ...(words.length === 0 || (words.length === 1 && 'all'.startsWith(words[0]?.toLowerCase() ?? ''))
    ? [call('Clear', 'End everything that is forced', 'clearScenarios')]
    : []),
  ...(words.length === 0 || (words.length === 1 && 'log'.startsWith(words[0]?.toLowerCase() ?? ''))
    ? [call('Clear', 'Empty the log', 'clearLog')]
    : []),
]

const send: Find = (words, context) => {
  const { entries, selected, personas } = context
  const [first = '', ...others] = words
  const isId = /^#?\d+$/.test(first)
  const entry = isId ? entries.find(({ id }) => id === Number(first.replace('#', ''))) : selected
  if (!entry) return isId ? refuseRequest(first.replace('#', ''), entries) : []
  const named = (isId ? others : words).filter((word) => !/^(as|again|--session)$/.test(word))
  const found = personas.filter(({ id }) => has(id, named))
  if (found.length === 0) return refusePersona(named.join(' '), personas)
  // Without a name, the words are not for this command.
  const whom = bestFirst(
    found.filter(({ id }) => named.length > 0 || id !== entry.session),
    ({ id }) => id,
    named.map((word) => word.toLowerCase()),
  ).slice(0, maxFound)
  const what = `Send request ${entry.id} again`
  const hint = `${entry.method} ${entry.path}`
  return [
    ...(named.length === 0 ? [call('Send', what, 'sendAgain', { id: entry.id }, hint)] : []),
    ...whom.map(({ id }) =>
      call('Send', `${what} as ${id}`, 'sendAgain', { id: entry.id, session: id }, hint),
    ),
  ]
}

const snapshot: Find = ([verb = '', name = '', ...more], { snapshots }) => {
  if (more.length > 0) return refuseMore([name, ...more], usages.snapshot)
  const found = bestFirst(
    snapshots.filter((each) => has(each, [name])),
    (each) => each,
    [name.toLowerCase()],
  )
  return [
    ...('save'.startsWith(verb) && name
      ? [call('Snapshot', `Save the state as ${name}`, 'saveSnapshot', { name })]
      : []),
    ...('load'.startsWith(verb)
      ? found.map((each) => call('Snapshot', `Load ${each}`, 'loadSnapshot', { name: each }))
      : []),
    ...(verb.length > 1 && 'delete'.startsWith(verb)
      ? found.map((each) => call('Snapshot', `Delete ${each}`, 'deleteSnapshot', { name: each }))
      : []),
  ]
}

const alone =
  (usage: string, find: Find): Find =>
  (words, context) =>
    words.length > 0 ? refuseMore(words, usage) : find(words, context)

const personaAdd: Find = ([id, ...more]) =>
  id === undefined || more.length > 0
    ? []
    : [
        call(
          'Be',
          `Add the persona ${id}`,
          'addSession',
          { id },
          'with a user of its own, and no organisation',
        ),
      ]

const download =
  (control: 'exportHandlers' | 'exportState', usual: string): Find =>
  ([name = usual, ...more]) =>
    more.length > 0
      ? []
      : [
          {
            group: 'File',
            text: `Download ${name}`,
            hint:
              control === 'exportState' ? 'the data, a fixture' : 'the forced outcomes, as handlers of MSW',
            action: { page: 'download', from: control, name },
            command:
              control === 'exportState'
                ? lineOf('mock', 'state', 'save', name)
                : lineOf('mock', 'handlers', 'export', name),
          },
        ]

/** A command that the box does not do: Enter copies it. */
const copied = (words: readonly string[]): Suggestion[] => {
  const command = lineOf(...(words[0] === 'session' ? [] : ['mock']), ...words)
  return command === undefined
    ? []
    : [
        {
          group: 'A command to copy',
          text: command,
          hint: 'Enter copies it',
          action: { page: 'copy' },
          command,
        },
      ]
}

const undo: Find = (_, { history }) =>
  history.undo === undefined ? [] : [call('History', `Undo: ${history.undo.title}`, 'undo')]
const redo: Find = (_, { history }) =>
  history.redo === undefined ? [] : [call('History', `Redo: ${history.redo.title}`, 'redo')]
const reset: Find = () => [call('State', 'Reset everything to the fixtures', 'reset')]

/** Examples of each command, by its first word, for words that are refused. */
const usages = {
  be: 'be viewer',
  before: 'before 17',
  after: 'after 17',
  rename: 'rename mobile app to Tablet app',
  delay: 'delay 300, delay 200-800 list, delay off',
  chaos: 'chaos 10, chaos 10 create, chaos off',
  clock: 'clock 2026-01-01, clock 2026-01-01 ticking, clock real',
  clear: 'clear, clear createProject, clear log',
  scenario: 'scenario set createProject 409 --times 1, scenario clear',
  force: 'force 409 create once',
  send: 'send 17, send 17 as viewer',
  save: 'save before-demo',
  load: 'load before-demo',
  snapshot: 'snapshot save before-demo, snapshot load before-demo',
  undo: 'undo',
  redo: 'redo',
  reset: 'reset',
}

/** The finders by the first word, or the first two words, of a command. */
const verbs: Record<string, Find> = {
  'session sign-out': (_, context) => {
    const found = signOut(['sign-out'], context)
    return found.length > 0 ? found : refuse('You are signed out already.')
  },
  be: sessionUse,
  as: sessionUse,
  'session use': sessionUse,
  before: rewind(false),
  after: rewind(true),
  'log rewind': rewind(false),
  'persona add': personaAdd,
  'handlers export': download('exportHandlers', 'handlers.ts'),
  'state save': download('exportState', 'state.json'),
  rename,
  'project set': projectSet,
  delay,
  'delay set': delay,
  'delay clear': (words, context) => delay(['clear', ...words], context),
  chaos,
  'chaos set': (words, context) => {
    const at = words.indexOf('--error-rate')
    const rate = String(Math.round(Number(words[at + 1]) * 100))
    return at < 0 ? [] : chaos([rate, ...words.filter((_, i) => i !== at && i !== at + 1)], context)
  },
  'chaos clear': (words, context) => chaos(['clear', ...words], context),
  clock,
  'clock set': clock,
  'clock clear': (words, context) => clock(['clear', ...words], context),
  clear,
  end: clear,
  'scenario clear': clear,
  'scenario set': (words, context) => [...scenario(words, context), ...force(words, context)],
  force,
  send,
  again: send,
  'log send': send,
  save: (words, context) => snapshot(['save', ...words], context),
  load: (words, context) => snapshot(['load', ...words], context),
  snapshot,
  undo: alone(usages.undo, undo),
  redo: alone(usages.redo, redo),
  reset: alone(usages.reset, reset),
}

const scenario: Find = (words, context) => {
  const { rest, times, sessions, unknown } = takeLimits(words, context)
  const found = Object.entries(context.named).filter(
    ([name]) => rest.length === 1 && (rest[0]?.length ?? 0) > 1 && name.startsWith(rest[0] ?? ' '),
  )
  if (found.length > 0 && unknown !== undefined) return refusePersona(unknown, context.personas)
  return sessions.flatMap((session) =>
    found.map(([name, description]) =>
      context.scenarios.some(({ target }) => target === name)
        ? call('Scenario', `End ${name}`, 'clearScenarios', { target: name }, description)
        : call(
            'Scenario',
            `Start ${name}`,
            'setScenario',
            {
              target: name,
              ...(times !== undefined && { times }),
              ...(session !== undefined && { session }),
            },
            description,
          ),
    ),
  )
}

/** Commands that need no more than their first letters. */
const short: Find = ([word = '', ...others], context) =>
  word.length < 2 || others.length > 0
    ? []
    : [
        ...Object.entries({ undo, redo, reset, clear }).flatMap(([verb, find]) =>
          verb.startsWith(word) && verb !== word ? find([], context) : [],
        ),
      ]

const find: Find = (words, context) => {
  const requests = context.entries.filter((entry) => has(entryText(entry), words)).toReversed()
  const failed = requests.find(isFailed)
  const other = failed && context.personas.find(({ id }) => id !== failed.session)
  return [
    ...requests.slice(0, maxFound).map(
      (entry): Suggestion => ({
        group: 'Requests',
        text: `#${entry.id} ${entry.method} ${entry.path} ${entry.status || 'no response'}${entry.code ? ` ${entry.code}` : ''}`,
        hint: entry.session ?? signedOut,
        action: { show: 'request', id: entry.id },
        command: `mock log show ${entry.id}`,
      }),
    ),
    ...(failed && other
      ? [
          call('Requests', `Send #${failed.id} again as ${other.id}`, 'sendAgain', {
            id: failed.id,
            session: other.id,
          }),
        ]
      : []),
    ...be(words, context).slice(0, 3),
    ...context.records
      .filter(({ name, key, detail = '' }) => has(`${name} ${key} ${detail}`, words))
      .slice(0, maxFound)
      .map(
        (record): Suggestion => ({
          group: 'Records',
          text: record.name,
          hint: recordHint(record, context.records),
          action: { show: 'record', record },
          command: lineOf('mock', 'data', 'list', record.kind, flag('search', record.name)),
        }),
      ),
    ...context.targets
      .filter(({ target, method, path }) => has(`${target} ${method} ${path}`, words))
      .slice(0, 3)
      .map(
        ({ target, method, path }): Suggestion => ({
          group: 'Handlers',
          text: target.includes(' ') ? target : `${target} · ${method} ${path}`,
          hint: 'show',
          action: { show: 'handler', target },
        }),
      ),
  ]
}

function beginnings(context: BoxContext): Suggestion[] {
  const { selected } = context
  const own = context.targets.find(({ target }) => target === selected?.target)
  const [special] = own ? outcomesBySpecialty(own, context.targets) : []
  return [
    ...(own && special !== undefined
      ? force([String(special).toLowerCase()], context).slice(0, context.you === undefined ? 2 : 3)
      : []),
    ...(selected ? send([], context).slice(0, 2) : []),
    ...(selected ? rewind(false)([String(selected.id)], context).slice(0, 1) : []),
    ...undo([], context),
    ...be([], context).slice(0, 3),
    ...scenario(['empty'], context),
  ]
}

/** The words of a command. In quotes, several are one. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/(?:^|(?<=\s))(?:'([^']*)'|"([^"]*)")(?=\s|$)|\S+/g)].map(
    ([word, single, double]) => single ?? double ?? word,
  )

const isAbout = /^\s*(?:npx\s+)?(?:dashboard-api\s+)?(?:mock\s+)?/

/** The word by which the records are to be searched that a text may be about; undefined if it has none. */
export function recordWord(text: string): string | undefined {
  const words = wordsOf(text.replace(isAbout, '').replace(/^(rename|project\s+set)\s+/i, ''))
  const to = words.findIndex((word) => /^(to|--name)$/i.test(word))
  return (to > 0 ? words.slice(0, to) : words).toSorted((a, b) => b.length - a.length)[0]
}

/** The suggestions for a text, the best first. */
export function suggest(text: string, context: BoxContext): Suggestion[] {
  const words = wordsOf(text.replace(isAbout, ''))
  if (words.length === 0) return beginnings(context)
  const lower = words.map((word) => word.toLowerCase())
  const two = verbs[`${lower[0]} ${lower[1]}`]
  const one = verbs[lower[0] ?? '']
  // Names keep their case.
  const isCopied =
    copiedCommands.has(`${lower[0]} ${lower[1]}`) || (lower[0] === 'log' && lower[1]?.startsWith('--'))
  const said =
    (isCopied ? copied(words) : undefined) ??
    two?.(words.slice(2), context) ??
    one?.(words.slice(1), context) ??
    []
  const others =
    two || one || isCopied
      ? []
      : [
          ...delayInOrder(lower, context),
          ...signOut(lower, context),
          ...scenario(lower, context),
          ...force(lower, context),
          ...short(lower, context),
        ]
  const all = [...said, ...others, ...find(lower, context)]
  const usage = usages[lower[0] as keyof typeof usages]
  if (all.length === 0 && usage !== undefined) return refuse(`"${words.join(' ')}" does nothing now.`, usage)
  const seen = new Set<string>()
  return all.filter((suggestion) => {
    const key = JSON.stringify(suggestion.action ?? suggestion.text)
    return !seen.has(key) && seen.add(key)
  })
}
