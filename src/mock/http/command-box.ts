import { errors } from '../../contract/errors.js'
import type { Persona } from '../core/controls.js'
import type { LogEntry } from '../core/log-entry.js'
import type { Outcome } from '../core/outcomes.js'
import type { Scenario } from '../core/scenarios.js'
import type { TargetName } from '../core/target-name.js'
import type { ListedTarget } from '../core/targets.js'
import { commandLine } from './command-line.js'
import type { ControlName } from './control-endpoints.js'

// The parser of the box on the page and the terminal: the words of the command line, in any order if that is clear. It only
// suggests; its caller runs a suggestion.

/** A record that the box can find. */
export type FoundRecord = { kind: string; key: string; name: string }

/** The current state of a mock. */
export type BoxContext = {
  targets: readonly ListedTarget[]
  personas: readonly Persona[]
  /** Oldest first. */
  entries: readonly LogEntry[]
  scenarios: readonly Scenario[]
  /** The named scenarios with their descriptions. */
  named: Readonly<Record<string, string>>
  snapshots: readonly string[]
  records: readonly FoundRecord[]
  history: { undo?: string; redo?: string }
  /** The selected request. Words without an operation are about its operation. */
  selected?: LogEntry
}

/** The action of a suggestion: a call of a control, or a view to show. */
export type BoxAction =
  | { control: ControlName; input: Record<string, unknown> }
  | { show: 'request'; id: number }
  | { show: 'handler'; target: string }
  | { show: 'record'; record: FoundRecord; field?: string }

export type Suggestion = {
  group: string
  /** The result of Enter. */
  text: string
  /** A hint: a caller, a time, or the found record. */
  hint?: string
  action: BoxAction
  /** The equivalent command of `npx dashboard-api`. */
  command?: string
}

type Find = (words: readonly string[], context: BoxContext) => Suggestion[]

const maxTargets = 4
const maxFound = 5

const has = (text: string, words: readonly string[]) =>
  words.every((word) => text.toLowerCase().includes(word.toLowerCase()))

const call = (
  group: string,
  text: string,
  control: ControlName,
  input: Record<string, unknown> = {},
  hint?: string,
): Suggestion => ({ group, text, hint, action: { control, input }, command: commandLine(control, input) })

/** The status of an outcome; undefined for `drop` and `hang`. */
export const statusOf = (outcome: Outcome | string): number | undefined =>
  typeof outcome === 'number' ? outcome : errors[outcome as keyof typeof errors]?.status

/** E.g. `409 PROJECT_NAME_TAKEN`, `503`, `drop`. */
export function outcomeText(outcome: Outcome | string): string {
  const status = statusOf(outcome)
  return status === undefined || status === outcome ? String(outcome) : `${status} ${outcome}`
}

export const messageOf = (outcome: Outcome | string): string | undefined =>
  outcome === 'drop'
    ? 'The connection breaks.'
    : outcome === 'hang'
      ? 'There is no response.'
      : errors[outcome as keyof typeof errors]?.message

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

const entryText = ({ id, method, path, status, code = '', target, session = 'signed out' }: LogEntry) =>
  `#${id} ${method} ${path} ${status} ${code} ${target} ${session}`

/** The uses and the persona of a forced outcome: `once`, `3 times`, `for acme-owner`, or the flags of the command. */
function takeLimits(words: readonly string[], { personas }: BoxContext) {
  const rest: string[] = []
  let times: number | undefined
  let session: string | undefined
  let isUntilCleared = false
  for (let i = 0; i < words.length; i++) {
    const word = words[i]?.toLowerCase() ?? ''
    const next = words[i + 1] ?? ''
    if (/^(once|next)$/.test(word)) times = 1
    else if (/^(always|until|cleared)$/.test(word)) isUntilCleared = true
    else if (/^\d{1,2}$/.test(word) && /^times?$/.test(next.toLowerCase())) {
      times = Number(word)
      i += 1
    } else if (word === '--times' && Number(next) > 0) {
      times = Number(next)
      i += 1
    } else if (/^(for|--session)$/.test(word) && next) {
      session = personas.find(({ id }) => id.includes(next.toLowerCase()))?.id ?? session
      i += 1
    } else if (!/^(on|request|requests|to|the)$/.test(word)) rest.push(word)
  }
  return { rest, times, session, isUntilCleared }
}

const matchesOutcome = (outcome: Outcome, word: string): boolean =>
  String(statusOf(outcome) ?? outcome) === word ||
  (/^[2-5]\d?$/.test(word) && String(statusOf(outcome) ?? '').startsWith(word)) ||
  (word.length > 2 && String(outcome).toLowerCase().includes(word))

const force: Find = (words, context) => {
  const { rest, times, session, isUntilCleared } = takeLimits(words, context)
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
  const best = pairs.sort((a, b) => b.rank - a.rank || a.order - b.order).slice(0, maxTargets)
  return best.flatMap(({ target, outcome }) => {
    const what = `${outcomeText(outcome)} on ${target}`
    const suggestion = (limits: { times?: number; session?: string }) =>
      call('Force', `${what} · ${limitText(limits)}`, 'setScenario', { target, outcome, ...limits })
    const who = session === undefined ? {} : { session }
    if (times !== undefined && times > 1) return [suggestion({ times, ...who })]
    const two = [suggestion({ times: 1, ...who }), suggestion(who)]
    return isUntilCleared ? two.reverse() : two
  })
}

/** E.g. `next request, for acme-owner`, `until cleared`. */
export const limitText = ({ times, session }: { times?: number; session?: string }): string =>
  [
    times === undefined ? 'until cleared' : times === 1 ? 'next request' : `next ${times} requests`,
    session && `for ${session}`,
  ]
    .filter(Boolean)
    .join(', ')

const be: Find = (words, { personas }) =>
  personas
    .filter(({ id, email, role = '', note = '' }) => has(`${id} ${email} ${role} ${note}`, words))
    .slice(0, maxFound)
    .map(({ id, note, role }) => call('Be', `Be ${id}`, 'useSession', { id }, note ?? role))

const rewind =
  (after: boolean): Find =>
  ([number, ...others], { entries }) =>
    entries
      .filter(({ id }) => number === undefined || String(id).startsWith(number.replace('#', '')))
      .toSorted((a, b) => Number(String(b.id) === number) - Number(String(a.id) === number) || b.id - a.id)
      .slice(0, number === undefined ? 3 : maxTargets)
      .map((entry) => {
        const isAfter = after || others.includes('--after')
        const text = `Go back to just ${isAfter ? 'after' : 'before'} request ${entry.id}`
        const hint = `${entry.method} ${entry.path} ${entry.status || 'no response'}`
        return call('Go back', text, 'rewind', { id: entry.id, ...(isAfter && { after: true }) }, hint)
      })

const rename: Find = (words, { records }) => {
  const to = words.findIndex((word) => /^(to|--name)$/i.test(word))
  const found = (to < 0 ? words : words.slice(0, to)).filter((word) => word !== '')
  const name =
    to < 0
      ? ''
      : words
          .slice(to + 1)
          .join(' ')
          .replaceAll(/^['"]|['"]$/g, '')
  return records
    .filter((record) => record.kind === 'projects' && has(`${record.name} ${record.key}`, found))
    .slice(0, maxFound)
    .map((record) =>
      name
        ? call('Edit', `Rename ${record.name} to ${name}`, 'setRecord', {
            kind: 'projects',
            key: record.key,
            fields: { name },
          })
        : {
            group: 'Edit',
            text: `Rename ${record.name}`,
            hint: 'edits its name',
            action: { show: 'record', record, field: 'name' },
            command: `mock project set ${record.key} --name NAME`,
          },
    )
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

const delay: Find = ([ms = '', ...words], context) => {
  const isNone = /^(0|none|off|clear)$/i.test(ms)
  if (!isNone && !/^\d+(-\d+)?(ms)?$/.test(ms)) return []
  const value = isNone ? 0 : ms.replace('ms', '')
  const named = words.filter((word) => !/^(of|on|ms)$/.test(word))
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

const chaos: Find = ([rate = '', ...words], context) => {
  if (/^(off|none|clear|0)$/i.test(rate)) return [call('Chaos', 'End chaos', 'clearChaos')]
  const percent = Number(/^(\d{1,3})%?$/.exec(rate)?.[1] ?? Number.NaN)
  if (!(percent > 0 && percent <= 100)) return []
  const named = words.filter((word) => !/^(of|on|%)$/.test(word))
  const chosen = named.length === 0 ? [undefined] : targetsFor(named, context).slice(0, maxTargets)
  return chosen.map((target) =>
    call('Chaos', `Let ${percent} % of ${target?.target ?? 'all requests'} fail at random`, 'setChaos', {
      errorRate: percent / 100,
      ...(target && { operation: target.target }),
    }),
  )
}

const clock: Find = ([at = '']) =>
  /^(real|clear|off)$/i.test(at)
    ? [call('Clock', 'Return to the real time', 'setClock')]
    : Number.isNaN(Date.parse(at)) || !at.includes('-')
      ? []
      : [
          call('Clock', `Stop the clock at ${at}`, 'setClock', {
            at: at.includes('T') ? at.toUpperCase() : `${at}T00:00:00Z`,
          }),
        ]

const clear: Find = (words, { scenarios }) => [
  ...scenarios
    .filter(({ target }) => words.length > 0 && has(target, words))
    .map(({ target }) => call('Clear', `End what is forced on ${target}`, 'clearScenarios', { target })),
  ...(words.length === 0 || has('all', words)
    ? [call('Clear', 'End everything that is forced', 'clearScenarios')]
    : []),
  ...(has('log', words) ? [call('Clear', 'Empty the log', 'clearLog')] : []),
]

const send: Find = (words, context) => {
  const { entries, selected, personas } = context
  const [first = '', ...others] = words
  const isId = /^#?\d+$/.test(first)
  const entry = isId ? entries.find(({ id }) => id === Number(first.replace('#', ''))) : selected
  if (!entry) return []
  const named = (isId ? others : words).filter((word) => !/^(as|again|--session)$/.test(word))
  const whom = personas.filter(({ id }) => id !== entry.session && has(id, named)).slice(0, maxFound)
  const what = `Send request ${entry.id} again`
  const hint = `${entry.method} ${entry.path}`
  return [
    ...(named.length === 0 ? [call('Send', what, 'sendAgain', { id: entry.id }, hint)] : []),
    ...whom.map(({ id }) =>
      call('Send', `${what} as ${id}`, 'sendAgain', { id: entry.id, session: id }, hint),
    ),
  ]
}

const snapshot: Find = ([verb = '', name = ''], { snapshots }) => [
  ...('save'.startsWith(verb) && name
    ? [call('Snapshot', `Save the state as ${name}`, 'saveSnapshot', { name })]
    : []),
  ...snapshots
    .filter((each) => 'load'.startsWith(verb) && each.includes(name))
    .map((each) => call('Snapshot', `Load ${each}`, 'loadSnapshot', { name: each })),
  ...snapshots
    .filter((each) => verb.length > 1 && 'delete'.startsWith(verb) && each.includes(name))
    .map((each) => call('Snapshot', `Delete ${each}`, 'deleteSnapshot', { name: each })),
]

const undo: Find = (_, { history }) =>
  history.undo === undefined ? [] : [call('History', `Undo: ${history.undo}`, 'undo')]
const redo: Find = (_, { history }) =>
  history.redo === undefined ? [] : [call('History', `Redo: ${history.redo}`, 'redo')]
const reset: Find = () => [call('State', 'Reset everything to the fixtures', 'reset')]

/** The finders by the first word, or the first two words, of a command. */
const verbs: Record<string, Find> = {
  be,
  as: be,
  'session use': be,
  before: rewind(false),
  after: rewind(true),
  'log rewind': rewind(false),
  rename,
  'project set': rename,
  delay,
  'delay set': delay,
  'delay clear': (words, context) => delay(['clear', ...words], context),
  chaos,
  'chaos set': (words, context) => {
    const at = words.indexOf('--error-rate')
    const rate = String(Math.round(Number(words[at + 1]) * 100))
    return at < 0 ? [] : chaos([rate, ...words.filter((_, i) => i !== at && i !== at + 1)], context)
  },
  'chaos clear': () => [call('Chaos', 'End chaos', 'clearChaos')],
  clock,
  'clock set': clock,
  'clock clear': (_, context) => clock(['clear'], context),
  clear,
  end: clear,
  'scenario clear': clear,
  'scenario set': (words, context) => [...force(words, context), ...scenario(words, context)],
  force,
  send,
  again: send,
  'log send': send,
  save: ([name = ''], context) => snapshot(['save', name], context),
  load: ([name = ''], context) => snapshot(['load', name], context),
  snapshot,
  undo,
  redo,
  reset,
}

const scenario: Find = (words, context) => {
  const { rest, times, session } = takeLimits(words, context)
  return Object.entries(context.named)
    .filter(([name]) => rest.length === 1 && (rest[0]?.length ?? 0) > 1 && name.startsWith(rest[0] ?? ' '))
    .map(([name, description]) =>
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
    )
}

/** Commands that need no more than their first letters. */
const short: Find = ([word = ''], context) =>
  word.length < 2
    ? []
    : [
        ...Object.entries({ undo, redo, reset, clear }).flatMap(([verb, find]) =>
          verb.startsWith(word) && verb !== word ? find([], context) : [],
        ),
      ]

const find: Find = (words, context) => {
  const requests = context.entries.filter((entry) => has(entryText(entry), words)).toReversed()
  const isFailed = ({ status }: LogEntry) => status === 0 || status >= 400
  const failed = requests.find(isFailed)
  const other = failed && context.personas.find(({ id }) => id !== failed.session)
  return [
    ...requests.slice(0, maxFound).map(
      (entry): Suggestion => ({
        group: 'Requests',
        text: `#${entry.id} ${entry.method} ${entry.path} ${entry.status || 'no response'}${entry.code ? ` ${entry.code}` : ''}`,
        hint: entry.session ?? 'signed out',
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
      .filter((record) => has(`${record.name} ${record.key}`, words))
      .slice(0, 3)
      .map(
        (record): Suggestion => ({
          group: 'Records',
          text: record.name,
          hint: record.kind,
          action: { show: 'record', record },
          command: `mock data list ${record.kind} --search ${JSON.stringify(record.name)}`,
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
    ...(own && special !== undefined ? force([String(special).toLowerCase()], context).slice(0, 2) : []),
    ...(selected ? send([], context).slice(0, 2) : []),
    ...(selected ? rewind(false)([String(selected.id)], context).slice(0, 1) : []),
    ...undo([], context),
    ...be([], context).slice(0, 3),
    ...scenario(['empty'], context),
  ]
}

/** The suggestions for a text, the best first. */
export function suggest(text: string, context: BoxContext): Suggestion[] {
  const words = text
    .trim()
    .replace(/^(npx )?dashboard-api /, '')
    .replace(/^mock /, '')
    .split(/\s+/)
    .filter(Boolean)
  if (words.length === 0) return beginnings(context)
  const lower = words.map((word) => word.toLowerCase())
  const two = verbs[`${lower[0]} ${lower[1]}`]
  const one = verbs[lower[0] ?? '']
  // Names keep their case.
  const said = two?.(words.slice(2), context) ?? one?.(words.slice(1), context) ?? []
  const others =
    two || one ? [] : [...scenario(lower, context), ...force(lower, context), ...short(lower, context)]
  const all = [...said, ...others, ...find(lower, context)]
  const seen = new Set<string>()
  return all.filter((suggestion) => {
    const key = JSON.stringify(suggestion.action)
    return !seen.has(key) && seen.add(key)
  })
}
