import type { RecordChange } from '../../store/memory/record-changes.js'
import type { CustomResponse } from '../engine/custom-response.js'
import { outcomeText } from '../engine/forced-text.js'
import type { PartName, Step } from '../state/history.js'

// The only place with sentences about changes of the mock. A clause, such as "Roadmap was created", becomes what was done,
// what was undone, and what was made again. `before` says what a control will do.

type Input = Record<string, unknown>
type Facts = { changes: readonly RecordChange[]; [fact: string]: unknown }

type Words = {
  /** What Enter will do. */
  before(input: Input, name?: string): string
  /** What it did, as a clause in the past. */
  clause(input: Input, facts: Facts): string
}

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

/** E.g. `next request, for acme-owner`, `until cleared`. */
export const limitText = ({ times, session }: { times?: unknown; session?: unknown }): string =>
  [
    times === undefined ? 'until cleared' : times === 1 ? 'next request' : `next ${times} requests`,
    session !== undefined && `for ${session}`,
  ]
    .filter(Boolean)
    .join(', ')

/** The uses of a forced outcome unless others are named. */
export const defaultTimes = 1

/** A caller without a persona. */
export const signedOut = 'signed out'

/** E.g. `409 PROJECT_NAME_TAKEN`, `a custom 200`. */
const answerText = ({ outcome, response }: Input): string =>
  response ? `a custom ${(response as CustomResponse).status ?? 'response'}` : outcomeText(String(outcome))
const isNamed = ({ outcome, response }: Input) => outcome === undefined && response === undefined

const simple = (before: string, clause: string): Words => ({ before: () => before, clause: () => clause })
const ofRecords = (before: Words['before']): Words => ({
  before,
  clause: (_, { changes }) => changesText(changes),
})

/** The words of each control that changes the mock. */
const words: { [control: string]: Words | undefined } = {
  useSession: {
    before: ({ id }) => (id === null ? 'Sign out' : `Be ${id}`),
    clause: ({ id }) => (id === null ? 'you signed out' : `you became ${id}`),
  },
  addSession: {
    before: ({ id }) => `Add the persona ${id}`,
    clause: ({ id }) => `the persona ${id} was added`,
  },
  removeSession: {
    before: ({ id }) => `Remove the persona ${id}`,
    clause: ({ id }) => `the persona ${id} was removed`,
  },
  addRecord: ofRecords(({ kind, record }, name = nameOf(Object(record))) => `Add ${name} to the ${kind}`),
  setRecord: ofRecords(({ key, fields }, name = String(key)) => {
    const to = Reflect.get(Object(fields), 'name')
    return to === undefined
      ? `Change ${Object.keys(Object(fields)).join(', ')} of ${name}`
      : `Rename ${name} to ${to}`
  }),
  removeRecord: ofRecords(({ key }, name = String(key)) => `Remove ${name}`),
  setScenario: {
    before: (input) =>
      isNamed(input)
        ? `Start ${input.target}`
        : `${answerText(input)} on ${input.target} · ${limitText(input)}`,
    clause: (input) =>
      isNamed(input)
        ? `${input.target} was started (${limitText(input)})`
        : `${answerText(input)} was forced on ${input.target} (${limitText(input)})`,
  },
  clearScenarios: {
    before: ({ target }) =>
      `End ${target === undefined ? 'everything that is forced' : `what is forced on ${target}`}`,
    clause: ({ target }) =>
      target === undefined ? 'all that was forced was cleared' : `what was forced on ${target} was cleared`,
  },
  setDelay: {
    before: ({ ms, operation }) =>
      isNone(ms) ? `No delay${of(operation)}` : `Delay ${operation ?? 'all responses'} by ${ms} ms`,
    clause: ({ ms, operation }) =>
      isNone(ms) ? `the delay${of(operation)} was removed` : `the delay${of(operation)} was set to ${ms} ms`,
  },
  setChaos: {
    before: ({ errorRate, delay, operation }) =>
      errorRate === undefined
        ? `Delay ${operation ?? 'all requests'} at random by ${delay} ms`
        : `Let ${percent(errorRate)} % of ${operation ?? 'all requests'} fail at random`,
    clause: ({ errorRate, delay, operation }) =>
      errorRate === undefined
        ? `random delays${of(operation)} of ${delay} ms were set`
        : `${percent(errorRate)} % of ${operation ?? 'all requests'} began to fail`,
  },
  clearChaos: {
    before: ({ operation }) => `End chaos${of(operation)}`,
    clause: ({ operation }) => `chaos${of(operation)} ended`,
  },
  setClock: {
    before: ({ at, ticking }) =>
      at === undefined
        ? 'Return to the real time'
        : `${ticking ? 'Let the clock run from' : 'Stop the clock at'} ${at}`,
    clause: ({ at, ticking }) =>
      at === undefined
        ? 'the clock returned to the real time'
        : `the clock ${ticking ? 'began to run from' : 'was stopped at'} ${at}`,
  },
  reset: simple('Reset everything to the fixtures', 'everything was reset'),
  fixtures: simple('', 'the fixtures were loaded again'),
  loadState: simple('Load a state', 'a state was loaded'),
  saveSnapshot: {
    before: ({ name }) => `Save the state as ${name}`,
    clause: ({ name }, { isReplaced }) => `the snapshot ${name} was ${isReplaced ? 'replaced' : 'saved'}`,
  },
  loadSnapshot: {
    before: ({ name }) => `Load ${name}`,
    clause: ({ name }) => `the snapshot ${name} was loaded`,
  },
  deleteSnapshot: {
    before: ({ name }) => `Delete ${name}`,
    clause: ({ name }) => `the snapshot ${name} was deleted`,
  },
  rewind: {
    before: ({ id, after }) => `Go back to just ${after ? 'after' : 'before'} request ${id}`,
    clause: ({ after }, { moment }) => `the data went back to ${after ? 'after' : 'before'} ${moment}`,
  },
  clearLog: simple('Empty the log', 'the log was emptied'),
  sendAgain: {
    before: ({ id, session }) =>
      `Send request ${id} again${session === undefined ? '' : session === null ? ` ${signedOut}` : ` as ${session}`}`,
    clause: ({ id }) => `request ${id} was sent again`,
  },
}

const percent = (rate: unknown) => Number((Number(rate) * 100).toPrecision(6))

/** Whether a control may change the mock. */
export const changes = (control: string): boolean =>
  control in words || control === 'undo' || control === 'redo'

/** What a control will do. @param name that of a record, whose key is its id */
export const wordsBefore = (control: string, input: Input, name?: string): string =>
  words[control]?.before(input, name) ?? control

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
    return words[cause.control]?.clause(Object(cause.input), facts) ?? cause.control
  }
  if (changes.length > 0) return changesText(changes)
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
