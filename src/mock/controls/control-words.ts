import type { RecordChange } from '../../store/memory/record-changes.js'
import type { CustomResponse } from '../engine/custom-response.js'
import { outcomeText } from '../engine/forced-text.js'
import type { PartName, Step } from '../state/history.js'
import { limitText } from '../state/limit-words.js'

// The only place with sentences about changes of the mock. A clause, such as "Roadmap was created", becomes what was done,
// what was undone, and what was made again.

type Input = Record<string, unknown>
type Facts = { changes: readonly RecordChange[]; [fact: string]: unknown }

/** What a control has done, as a clause in the past. */
type Clause = (input: Input, facts: Facts) => string

/** A step of the history as every interface shows it. */
export type StepView = {
  id: number
  /** When it was made, RFC 3339. */
  time: string
  /** What was done, as a clause: `Roadmap was created`. */
  title: string
  /** What was done, as a sentence. */
  done: string
  undone: string
  redone: string
  /** The parts of the mock that it changed. */
  parts: PartName[]
  /** Absent for a request. */
  control?: string
  /** The id of the step's request in the log, if a request made it. */
  entry?: number
  /** The last request in the log before the step. */
  since: number
  /** The number of changed records. */
  changed: number
}

const of = (target: unknown): string => (target === undefined ? '' : ` of ${target}`)
const isNone = (ms: unknown) => ms === null || String(ms) === '0'

/** E.g. `409 PROJECT_NAME_TAKEN`, `a custom 200`. */
const answerText = ({ outcome, response }: Input): string =>
  response ? `a custom ${(response as CustomResponse).status ?? 'response'}` : outcomeText(String(outcome))
const isNamed = ({ outcome, response }: Input) => outcome === undefined && response === undefined

const ofRecords: Clause = (_, { changes }) => changesText(changes)

/** The words of each control that changes the mock. */
const clauses: { [control: string]: Clause | undefined } = {
  useSession: ({ id }) => (id === null ? 'you signed out' : `you became ${id}`),
  addSession: ({ id }) => `the persona ${id} was added`,
  removeSession: ({ id }) => `the persona ${id} was removed`,
  addRecord: ofRecords,
  setRecord: ofRecords,
  removeRecord: ofRecords,
  setScenario: (input) =>
    isNamed(input)
      ? `${input.target} was started (${limitText(input)})`
      : `${answerText(input)} was forced on ${input.target} (${limitText(input)})`,
  clearScenarios: ({ target }) =>
    target === undefined ? 'all that was forced was cleared' : `what was forced on ${target} was cleared`,
  setDelay: ({ ms, operation }) =>
    isNone(ms) ? `the delay${of(operation)} was removed` : `the delay${of(operation)} was set to ${ms} ms`,
  setChaos: ({ errorRate, delay, operation }) =>
    errorRate === undefined
      ? `random delays${of(operation)} of ${delay} ms were set`
      : `${percent(errorRate)} % of ${operation ?? 'all requests'} began to fail`,
  clearChaos: ({ operation }) => `chaos${of(operation)} ended`,
  setClock: ({ at, ticking }) =>
    at === undefined
      ? 'the clock returned to the real time'
      : `the clock ${ticking ? 'began to run from' : 'was stopped at'} ${at}`,
  reset: () => 'everything was reset',
  fixtures: () => 'the fixtures were loaded again',
  loadState: () => 'a state was loaded',
  saveSnapshot: ({ name }, { isReplaced }) => `the snapshot ${name} was ${isReplaced ? 'replaced' : 'saved'}`,
  loadSnapshot: ({ name }) => `the snapshot ${name} was loaded`,
  deleteSnapshot: ({ name }) => `the snapshot ${name} was deleted`,
  rewind: ({ after }, { moment }) => `the data went back to ${after ? 'after' : 'before'} ${moment}`,
  clearLog: () => 'the log was emptied',
  sendAgain: ({ id }) => `request ${id} was sent again`,
}

const percent = (rate: unknown) => Number((Number(rate) * 100).toPrecision(6))

/** Whether a control may change the mock. */
export const changes = (control: string): boolean =>
  control in clauses || control === 'undo' || control === 'redo'

/** What a control has done, as a sentence. @param step the step that it returned, if it changed the mock */
export const saidOf = (control: string, step: StepView | undefined): string =>
  !step
    ? 'Nothing was changed.'
    : control === 'undo'
      ? step.undone
      : control === 'redo'
        ? step.redone
        : step.done

const nameOf = (record: object | undefined): string =>
  String(['name', 'email', 'id'].map((field) => Reflect.get(Object(record), field)).find(Boolean))

const nouns: Record<RecordChange['kind'], string> = {
  ...{ projects: '', teams: 'the team ', users: 'the user ', sessions: 'the persona ', waitlist: '' },
}

/** E.g. `Roadmap was created`, `Roadmap was renamed to Atlas`, `3 records were changed`. */
export function changesText(changes: readonly RecordChange[]): string {
  const [only, ...others] = changes
  if (!only) return 'the order of the records was changed'
  if (others.length > 0) return `${changes.length} records were changed`
  const { kind, before, after } = only
  if (kind === 'waitlist') return `${nameOf(after ?? before)} ${after ? 'joined' : 'left'} the waitlist`
  const name = `${nouns[kind]}${nameOf(before ?? after)}`
  if (!before) return `${name} was created`
  if (!after) return `${name} was removed`
  return nameOf(before) === nameOf(after) ? `${name} was changed` : `${name} was renamed to ${nameOf(after)}`
}

function clauseOf({ cause, changes }: Step): string {
  if ('control' in cause) {
    const facts = { ...cause.facts, changes }
    return clauses[cause.control]?.(Object(cause.input), facts) ?? cause.control
  }
  if (changes.length > 0) return changesText(changes)
  if (cause.aborted) return `${cause.request} was aborted and gave back what was forced`
  return cause.used && !isNamed(cause.used as Input)
    ? `${cause.request} answered the forced ${answerText(cause.used as Input)}`
    : `${cause.request} used a scenario`
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** A step with its sentences. */
export function viewOf(step: Step): StepView {
  const { id, time, cause, parts, entry, since, changes } = step
  const title = clauseOf(step)
  const isRewind = 'control' in cause && cause.control === 'rewind'
  // "The data went back to" has a shorter form.
  const back = title.replace(/^the data went/, '')
  return {
    ...{
      id,
      time,
      title,
      since,
      changed: changes.length,
      parts: [...new Set(parts.map(({ part }) => part))],
    },
    ...('control' in cause ? { control: cause.control } : { entry }),
    done: isRewind ? `Went${back}.` : sentence(title),
    undone: isRewind ? `Undone: went${back}.` : `Went back to before ${title}.`,
    redone: `Made again: ${isRewind ? `went${back}` : title}.`,
  }
}
