import type { ControlName } from './control-endpoints.js'

type Input = Record<string, unknown>

/** A word as a shell takes it. */
const quoted = (value: unknown): string =>
  /^[\w./:@%=-]+$/.test(String(value)) ? String(value) : `'${String(value).replaceAll("'", "'\\''")}'`

const words = (...parts: unknown[]): string =>
  parts
    .flat()
    .filter((part) => part !== undefined && part !== false)
    .map(quoted)
    .join(' ')

const flag = (name: string, value: unknown) => (value === undefined ? [] : [`--${name}`, value])

/** The command of each control that the box calls. `src/cli/mock/control-groups.ts` has the same. */
const commands: Partial<Record<ControlName, (input: Input) => string>> = {
  setScenario: ({ target, outcome, times, session }) =>
    words('scenario', 'set', target, outcome, flag('times', times), flag('session', session)),
  clearScenarios: ({ target }) => words('scenario', 'clear', target),
  useSession: ({ id }) => words('session', 'use', id),
  rewind: ({ id, after }) => words('log', 'rewind', id, after === true && '--after'),
  sendAgain: ({ id, session }) => words('log', 'send', id, flag('session', session)),
  setDelay: ({ ms, operation }) =>
    ms === null || ms === 0 ? words('delay', 'clear', operation) : words('delay', 'set', ms, operation),
  setChaos: ({ errorRate, operation }) => words('chaos', 'set', operation, flag('error-rate', errorRate)),
  clearChaos: ({ operation }) => words('chaos', 'clear', operation),
  setClock: ({ at }) => (at === undefined ? 'clock clear' : words('clock', 'set', at)),
  setRecord: ({ key, fields }) => words('project', 'set', key, '--name', (fields as Input).name),
  saveSnapshot: ({ name }) => words('snapshot', 'save', name),
  loadSnapshot: ({ name }) => words('snapshot', 'load', name),
  deleteSnapshot: ({ name }) => words('snapshot', 'delete', name),
  clearLog: () => 'log --clear',
  undo: () => 'undo',
  redo: () => 'redo',
  reset: () => 'reset',
}

/** The command of `npx dashboard-api` that calls a control; undefined if the box has none for it. */
export const commandLine = (control: ControlName, input: Input): string | undefined =>
  commands[control]?.(input)
