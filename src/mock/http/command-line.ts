import type { ControlName } from './control-endpoints.js'

type Input = Record<string, unknown>

/** Quotes a word for a shell. */
const quoted = (value: unknown): string =>
  /^[\w./:@%=-]+$/.test(String(value)) ? String(value) : `'${String(value).replaceAll("'", "'\\''")}'`

const words = (...parts: unknown[]): string =>
  parts
    .flat()
    .filter((part) => part !== undefined && part !== false)
    .map(quoted)
    .join(' ')

const flag = (name: string, value: unknown) => (value === undefined ? [] : [`--${name}`, value])

/** The commands of the controls that the box calls, as in `src/cli/mock/control-groups.ts`. */
const commands: Partial<Record<ControlName, (input: Input) => string>> = {
  setScenario: ({ target, outcome, times, session }) =>
    words('mock', 'scenario', 'set', target, outcome, flag('times', times), flag('session', session)),
  clearScenarios: ({ target }) => words('mock', 'scenario', 'clear', target),
  useSession: ({ id }) => words('session', 'use', id),
  rewind: ({ id, after }) => words('mock', 'log', 'rewind', id, after === true && '--after'),
  sendAgain: ({ id, session }) => words('mock', 'log', 'send', id, flag('session', session)),
  setDelay: ({ ms, operation }) =>
    ms === null || ms === 0
      ? words('mock', 'delay', 'clear', operation)
      : words('mock', 'delay', 'set', ms, operation),
  setChaos: ({ errorRate, operation }) =>
    words('mock', 'chaos', 'set', operation, flag('error-rate', errorRate)),
  clearChaos: ({ operation }) => words('mock', 'chaos', 'clear', operation),
  setClock: ({ at }) => (at === undefined ? 'mock clock clear' : words('mock', 'clock', 'set', at)),
  setRecord: ({ key, fields }) => words('mock', 'project', 'set', key, '--name', (fields as Input).name),
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
