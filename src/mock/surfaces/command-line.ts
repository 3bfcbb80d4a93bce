import { controlCharacters, shellQuote } from '../../pages/shell-quote.js'
import type { ControlName } from '../controls/control-endpoints.js'

type Input = Record<string, unknown>

/** A command of these words, without undefined and false. Undefined if a terminal would obey a character of it. */
export function words(...parts: unknown[]): string | undefined {
  const all = parts.flat().filter((part) => part !== undefined && part !== false)
  const line = all.map((part) => shellQuote(String(part))).join(' ')
  return line.match(controlCharacters) ? undefined : line
}

/** A value that begins with "-" would be taken for a flag. */
export const flag = (name: string, value: unknown): string[] =>
  value === undefined ? [] : /^-/.test(String(value)) ? [`--${name}=${value}`] : [`--${name}`, String(value)]

/** The commands of `mock` that the box does not do: it offers them to copy. */
export const copiedCommands: ReadonlySet<string> = new Set(
  Object.entries({
    session: ['current'],
    persona: ['list', 'remove'],
    project: ['list', 'add', 'remove'],
    data: ['add', 'set', 'list', 'remove'],
    scenario: ['list'],
    delay: ['show'],
    chaos: ['show'],
    clock: ['show'],
    handlers: ['list'],
    snapshot: ['list'],
    space: ['create', 'list', 'remove'],
    state: ['export', 'load', 'from-database', 'import'],
    log: ['show', 'diff', 'export'],
  }).flatMap(([group, names]) => names.map((name) => `${group} ${name}`)),
)

/** The commands of the controls that the box calls, as in `src/cli/mock/control-groups.ts`. */
const commands: Partial<Record<ControlName, (input: Input) => string | undefined>> = {
  setScenario: ({ target, outcome, times, session }) =>
    words(
      ...['mock', 'scenario', 'set', target, outcome],
      times === null ? '--until-cleared' : flag('times', times),
      flag('session', session),
    ),
  clearScenarios: ({ target }) => words('mock', 'scenario', 'clear', target),
  useSession: ({ id }) => (id === null ? words('session', 'sign-out') : words('session', 'use', id)),
  addSession: ({ id }) => words('mock', 'persona', 'add', id),
  rewind: ({ id, after }) => words('mock', 'log', 'rewind', id, after === true && '--after'),
  sendAgain: ({ id, session }) => words('mock', 'log', 'send', id, flag('session', session)),
  setDelay: ({ ms, operation }) =>
    ms === null || ms === 0
      ? words('mock', 'delay', 'clear', operation)
      : words('mock', 'delay', 'set', ms, operation),
  setChaos: ({ errorRate, operation }) =>
    words('mock', 'chaos', 'set', operation, flag('error-rate', errorRate)),
  clearChaos: ({ operation }) => words('mock', 'chaos', 'clear', operation),
  setClock: ({ at, ticking }) =>
    at === undefined
      ? 'mock clock clear'
      : words('mock', 'clock', 'set', at, ticking === true && '--ticking'),
  setRecord: ({ key, fields }) => words('mock', 'project', 'set', key, flag('name', (fields as Input).name)),
  saveSnapshot: ({ name }) => words('mock', 'snapshot', 'save', name),
  loadSnapshot: ({ name }) => words('mock', 'snapshot', 'load', name),
  deleteSnapshot: ({ name }) => words('mock', 'snapshot', 'delete', name),
  clearLog: () => 'mock log --clear',
  undo: () => 'undo',
  redo: () => 'redo',
  reset: () => 'reset',
}

/** The command of `npx dashboard-api` that calls a control, if the box has one. */
export const commandLine = (control: ControlName, input: Input): string | undefined =>
  commands[control]?.(input)
