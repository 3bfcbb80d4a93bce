import type { RecordChange } from '../../store/memory/record-changes.js'
import type { CustomResponse } from '../engine/custom-response.js'
import { outcomeText } from '../engine/forced-text.js'
import type { PartName, Step } from '../state/history.js'
import { defaultTimes, limitText, signedOut } from '../state/limit-words.js'

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

/** What a control will do, as a sentence without its end. @param facts the name of the record, and the step of an undo */
type Announcement = (input: Input, facts: { name?: string; title?: string }) => string

/** The words of each control that changes the mock: before and after. */
const words: { [control: string]: { will?: Announcement; did: Clause } | undefined } = {
  useSession: {
    will: ({ id }) => (id === null ? 'Sign out' : `Be ${id}`),
    did: ({ id }) => (id === null ? 'you signed out' : `you became ${id}`),
  },
  addSession: {
    will: ({ id }) => `Add the persona ${id}`,
    did: ({ id }) => `the persona ${id} was added`,
  },
  expireSession: {
    will: ({ id }) => `End the session of ${id}`,
    did: ({ id }) => `the session of ${id} expired`,
  },
  removeSession: {
    will: ({ id }) => `Remove the persona ${id}`,
    did: ({ id }) => `the persona ${id} was removed`,
  },
  addRecord: { will: ({ kind, record }) => `Add ${nameOf(Object(record))} to the ${kind}`, did: ofRecords },
  setRecord: {
    will({ kind, key, fields }, { name = `${kind} ${key}` }) {
      const changed = Object.entries(Object(fields))
      const [[field, value] = []] = changed
      return changed.length === 1 && field === 'name'
        ? `Rename ${name} to ${value}`
        : `Change ${changed.map(([each]) => each).join(', ')} of ${name}`
    },
    did: ofRecords,
  },
  removeRecord: {
    will: ({ kind, key, dependants }) =>
      `Remove ${key} from the ${kind}${dependants ? ', with what depends on it' : ''}`,
    did: ofRecords,
  },
  setScenario: {
    will: (input) =>
      isNamed(input)
        ? `Start ${input.target}`
        : `${answerText(input)} on ${input.target} · ${limitText({ times: defaultTimes, ...input })}`,
    did: (input) =>
      isNamed(input)
        ? `${input.target} was started (${limitText(input)})`
        : `${answerText(input)} was forced on ${input.target} (${limitText(input)})`,
  },
  clearScenarios: {
    will: ({ target }) =>
      target === undefined ? 'End everything that is forced' : `End what is forced on ${target}`,
    did: ({ target }) =>
      target === undefined ? 'all that was forced was cleared' : `what was forced on ${target} was cleared`,
  },
  setDelay: {
    will: ({ ms, target }) =>
      isNone(ms) ? `No delay${of(target)}` : `Delay ${target ?? 'all responses'} by ${ms} ms`,
    did: ({ ms, target }) =>
      isNone(ms) ? `the delay${of(target)} was removed` : `the delay${of(target)} was set to ${ms} ms`,
  },
  setChaos: {
    will: ({ errorRate, delay, target }) =>
      errorRate === undefined
        ? `Delay ${target ?? 'all requests'} at random, by ${delay} ms`
        : `Let ${percent(errorRate)} % of ${target ?? 'all requests'} fail at random`,
    did: ({ errorRate, delay, target }) =>
      errorRate === undefined
        ? `random delays${of(target)} of ${delay} ms were set`
        : `${percent(errorRate)} % of ${target ?? 'all requests'} began to fail`,
  },
  clearChaos: {
    will: ({ target }) => `End chaos${of(target)}`,
    did: ({ target }) => `chaos${of(target)} ended`,
  },
  setClock: {
    will: ({ at, ticking }) =>
      at === undefined
        ? 'Return to the real time'
        : `${ticking ? 'Let the clock run from' : 'Stop the clock at'} ${dayOf(at)}`,
    did: ({ at, ticking }) =>
      at === undefined
        ? 'the clock returned to the real time'
        : `the clock ${ticking ? 'began to run from' : 'was stopped at'} ${at}`,
  },
  reset: { will: () => 'Reset everything to the fixtures', did: () => 'everything was reset' },
  fixtures: { did: () => 'the fixtures were loaded again' },
  loadState: { will: () => 'Replace the state', did: () => 'a state was loaded' },
  saveSnapshot: {
    will: ({ name }) => `Save the state as ${name}`,
    did: ({ name }, { isReplaced }) => `the snapshot ${name} was ${isReplaced ? 'replaced' : 'saved'}`,
  },
  loadSnapshot: {
    will: ({ name }) => `Load ${name}`,
    did: ({ name }) => `the snapshot ${name} was loaded`,
  },
  deleteSnapshot: {
    will: ({ name }) => `Delete ${name}`,
    did: ({ name }) => `the snapshot ${name} was deleted`,
  },
  rewind: {
    will: ({ id, after }) => `Go back to just ${after ? 'after' : 'before'} request ${id}`,
    did: ({ after }, { moment }) => `the data went back to ${after ? 'after' : 'before'} ${moment}`,
  },
  clearLog: { will: () => 'Empty the log', did: () => 'the log was emptied' },
  sendAgain: {
    will: ({ id, session }) =>
      `Send request ${id} again${session === undefined ? '' : ` as ${session ?? signedOut}`}`,
    did: ({ id }) => `request ${id} was sent again`,
  },
}

/** The words before a step of the history is undone or made again, and before a change of the spaces. */
const others: { [control: string]: Announcement | undefined } = {
  undo: ({ id }, { title = `change ${id}` }) => `Undo: ${title}`,
  redo: ({ id }, { title = `change ${id}` }) => `Redo: ${title}`,
  createSpace: ({ name }) => `Create the space ${name}`,
  removeSpace: ({ name }) => `Remove the space ${name}`,
}

/** What a control will do, without a full stop: `Delay listProjects by 300 ms`. Undefined if it changes nothing. */
export const willDo = (
  control: string,
  input: Input = {},
  facts: { name?: string; title?: string } = {},
): string | undefined => (words[control]?.will ?? others[control])?.(input, facts)

/** A time without its zone at midnight: `2026-01-01`. */
const dayOf = (at: unknown) => String(at).replace(/T00:00:00(\.000)?Z$/, '')

const percent = (rate: unknown) => Number((Number(rate) * 100).toPrecision(6))

/** Whether a control may change the mock. */
export const changes = (control: string): boolean =>
  control in words || control === 'undo' || control === 'redo'

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
    return words[cause.control]?.did(Object(cause.input), facts) ?? cause.control
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
