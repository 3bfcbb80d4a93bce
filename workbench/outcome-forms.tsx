// The outcomes of a target: a list to force one, and forms for its limits and for a custom response.

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { ControlName } from '../src/mock/controls/control-endpoints.js'
import type { StepView } from '../src/mock/controls/step-view.js'
import type { CustomResponse } from '../src/mock/engine/custom-response.js'
import { messageOf, outcomeText, statusOf } from '../src/mock/engine/forced-text.js'
import { headerLines, headersOf } from '../src/mock/engine/header-lines.js'
import type { Outcome } from '../src/mock/engine/outcomes.js'
import type { Scenario } from '../src/mock/engine/scenarios.js'
import type { TargetName } from '../src/mock/engine/target-name.js'
import type { ListedTarget } from '../src/mock/engine/targets.js'
import type { LogDetails } from '../src/mock/log/log-details.js'
import { defaultTimes, untilCleared } from '../src/mock/state/limit-words.js'
import { outcomesBySpecialty } from '../src/mock/surfaces/box/force-verbs.js'
import { call, type Input } from './connection.js'
import { type Draft, draft, Field, openDialog, Select } from './dialog.js'
import { indented } from './json-tree.js'
import { change, perform, say } from './perform.js'
import { type Choice, openPicker } from './picker.js'
import { delays, personas, refresh, refreshForced, scenarioOf, sessions, targets } from './store.js'
import { control, toast } from './toasts.js'

/** Whether an outcome is forced for the next request alone. */
export const isOnce = signal(true)

export const forcedText = ({ outcome, response }: Pick<Scenario, 'outcome' | 'response'>): string =>
  response
    ? `${response.unchecked ? 'unchecked ' : ''}response ${response.status ?? 200}`
    : outcome === undefined
      ? 'on'
      : outcomeText(outcome)

/** Whether an outcome is forced for one persona alone: each list begins with every caller. */
const isOnlyOne = signal(false)
/** That persona: the sender of the request that the list is about, or that of this browser. Undefined if signed out. */
const onlyPersona = signal<() => string | undefined>(() => undefined)
const you = () => sessions.value?.you

/** Begins a list. @param persona whom its outcomes can be for alone */
function offerOnly(persona: () => string | undefined): void {
  isOnlyOne.value = false
  onlyPersona.value = persona
}

/** Forces an outcome. The message can take it back. */
export const force = (target: string, outcome: Outcome, once: boolean, session?: string) =>
  perform('setScenario', { target, outcome, times: once ? defaultTimes : null, session })

export const endForced = (target: string) => perform('clearScenarios', { target })

/** The entry of the log, or the target. @property session the sender of the request */
type About = { id?: number; target: string; kind: string; session?: string }

type TwoProps = { label: string; value: typeof isOnce; texts: [value: boolean, text: string][] }
/** Two buttons that leave the list open. */
const Two = ({ label, value, texts }: TwoProps) => (
  <div class="joined" role="group" aria-label={label}>
    {texts.map(([each, text]) => (
      <button
        key={text}
        type="button"
        aria-pressed={value.value === each}
        onClick={({ currentTarget }) => {
          value.value = each
          currentTarget.closest('.picker')?.querySelector('input')?.focus()
        }}
      >
        {text}
      </button>
    ))}
  </div>
)

/** For how long, and for whom. */
const LimitButtons = (): ComponentChildren => {
  const persona = onlyPersona.value()
  return (
    <>
      <Two
        label="How long"
        value={isOnce}
        texts={[
          [true, 'Next request'],
          [false, 'Until cleared'],
        ]}
      />
      {persona !== undefined && (
        <Two
          label="For whom"
          value={isOnlyOne}
          texts={[
            [false, 'Everyone'],
            [true, `Only ${persona}`],
          ]}
        />
      )}
    </>
  )
}

function choiceOf(target: string, outcome: Outcome): Choice {
  const status = statusOf(outcome)
  return {
    code: status === undefined ? undefined : String(status),
    text: status === outcome ? `Respond ${outcome}` : String(outcome),
    hint: messageOf(outcome),
    isChosen: scenarioOf(target)?.outcome === outcome,
    run: (isOther) =>
      force(target, outcome, isOnce.value !== isOther, isOnlyOne.value ? onlyPersona.value() : undefined),
  }
}

/**
 * Opens the list of outcomes at an element.
 * @param about the entry of the log, or the target, whose outcomes these are
 */
export async function openOutcomes(anchor: Element, { id, target, kind, session }: About): Promise<void> {
  const find = () => targets.value.find((candidate) => candidate.target === target)
  if (!find()) await refreshForced()
  const found = find()
  if (!found) return toast(`The mock has no ${target} any more.`)
  const outcomes = outcomesBySpecialty(found, targets.value)
  offerOnly(id === undefined ? you : () => session)
  openPicker({
    label: `Outcome of ${target}`,
    anchor,
    header: LimitButtons,
    other: 'Shift+Enter: the other duration',
    choices() {
      const forced = scenarioOf(target)
      return [
        ...outcomes.map((outcome) => choiceOf(target, outcome)),
        ...(forced
          ? [{ text: 'As usual', hint: 'clears the forced outcome', run: () => endForced(target) }]
          : []),
        { text: 'Custom response…', run: () => respond({ id, target, kind }) },
        { text: 'Limits and delay…', run: () => editLimits(found) },
      ]
    },
  })
}

/** Opens the list of the outcomes of all operations: those that change data come first, of each the rarest. */
export async function openAllOutcomes(anchor: Element): Promise<void> {
  if (targets.value.length === 0) await refreshForced()
  const isRead = ({ method }: ListedTarget) => /^(GET|HEAD|query)$/.test(method)
  const all = targets.value.filter(({ kind }) => kind !== 'unanswered')
  offerOnly(you)
  openPicker({
    label: 'Outcome',
    anchor,
    header: LimitButtons,
    other: 'Shift+Enter: the other duration',
    choices: () =>
      [...all.filter((each) => !isRead(each)), ...all.filter(isRead)].flatMap((found) =>
        outcomesBySpecialty(found, targets.value).map((outcome) => ({
          group: found.target,
          ...choiceOf(found.target, outcome),
        })),
      ),
  })
}

const callerOptions = (): [string, string?][] => [
  ['', 'every caller'],
  ...personas.value.slice(0, 100).map(({ id }): [string] => [id]),
]

/** Fields for how many times, and for whom, something is forced. */
const limitDrafts = ({ times = defaultTimes, session }: LimitPreset = {}) => ({
  times: draft(String(times ?? '')),
  session: draft(session ?? ''),
})
type LimitPreset = { times?: number | null; session?: string }
/** Those of a scenario that is set. */
const limitsOf = ({ times, session }: Scenario): LimitPreset => ({ times: times ?? null, session })
type Limits = ReturnType<typeof limitDrafts>
const LimitFields = ({ times, session }: Limits) => (
  <>
    <Field label="How many times" draft={times} placeholder={untilCleared} isNumber />
    <Select label="For" draft={session} options={callerOptions()} />
  </>
)
const valuesOf = ({ times, session }: Limits) => ({
  times: times.text.value.trim() ? Number(times.text.value) : null,
  ...(session.text.value && { session: session.text.value }),
})
/** Whether the number of times is one; shows a fault at its field. */
const areValid = ({ times }: Limits): boolean => {
  const isValid = /^\s*([1-9]\d{0,8})?\s*$/.test(times.text.value)
  if (!isValid) times.fault.value = 'Enter a whole number from 1, or nothing.'
  return isValid
}

/** Opens a form for the outcome of a target with its limits, and for its delay. */
export function editLimits({ target, outcomes }: ListedTarget): void {
  const forced = scenarioOf(target)
  const outcome = draft(String(forced?.outcome ?? ''))
  const limits = limitDrafts(forced && limitsOf(forced))
  const first = JSON.stringify(valuesOf(limits))
  const before = delays.value.operations[target] ?? ''
  const delay = draft(before)
  const fault = signal('')
  openDialog({
    title: `Outcome of ${target}`,
    submit: 'Apply',
    content: (
      <>
        <Select
          label="Outcome"
          draft={outcome}
          options={[
            ['', forced?.response ? 'the custom response' : 'as usual'],
            ...outcomes.map((name): [string, string] => [String(name), outcomeText(name)]),
          ]}
        />
        <LimitFields {...limits} />
        <Field label="Delay, in ms" draft={delay} placeholder="300 or 200-800" />
        <p class="fault">{fault}</p>
      </>
    ),
    async onSubmit() {
      const chosen = outcome.text.value
      const wanted = chosen ? { outcome: chosen } : forced?.response && { response: forced.response }
      if (!areValid(limits)) return ''
      const values = valuesOf(limits)
      if (!wanted && JSON.stringify(values) !== first) {
        limits.times.fault.value = 'Choose an outcome: as usual has no limits.'
        return ''
      }
      const ms = delay.text.value.trim()
      const steps: (StepView | undefined)[] = []
      const run = async <Name extends ControlName>(name: Name, ...input: Input<Name>) => {
        const { error, step } = await call(name, ...input)
        steps.push(step)
        return error
      }
      // An outcome for a persona stands beside one for every caller.
      if (forced && (!wanted || forced.session !== values.session)) await run('clearScenarios', { target })
      let error = wanted && (await run('setScenario', { target, ...wanted, ...values } as never))
      if (error === undefined && ms !== before) {
        const fault = await run('setDelay', { ms: ms || null, target: target as TargetName })
        if (fault !== undefined) delay.fault.value = 'Enter milliseconds, as 300, or a range, as 200-800.'
        error = fault && ''
      }
      // A part of it may have been refused.
      if (error === undefined || steps.some(Boolean)) say('setScenario', steps, { input: { target } })
      await refresh()
      return error ?? true
    },
  })
}

type Preset = Partial<CustomResponse> & LimitPreset

/** Opens the form for a custom response with the one that is set, or with that of a request. */
export async function respond({ id, target, kind }: About): Promise<void> {
  const forced = scenarioOf(target)
  if (forced?.response) return editResponse(target, { ...forced.response, ...limitsOf(forced) })
  // Nothing else answers this path, so the form begins with a response that lasts.
  if (kind === 'unanswered') return editResponse(target, { status: 200, body: {}, times: null })
  const stored = id === undefined ? undefined : await control('logEntry', { id })
  return editResponse(target, stored ? presetOf(stored) : {})
}

/** The response of an entry of the log, to begin with. */
export const presetOf = ({ status, response }: LogDetails): Preset => ({
  status,
  // A body that is cut is not one to send.
  text: response?.body?.text?.length === response?.body?.length ? indented(response?.body?.text ?? '') : '',
  contentType: response?.headers['content-type'],
})

const isText = (contentType = '') => !/^(application\/json\b|$)/i.test(contentType)

function parse(text: string): { body: unknown } | undefined {
  try {
    return { body: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The headers of a field; shows a fault at it. */
function readHeaders({ text, fault }: Draft): Record<string, string> | undefined {
  try {
    return headersOf(text.value.split('\n').filter((line) => line.trim()))
  } catch (error) {
    fault.value = (error as Error).message
    return undefined
  }
}

async function latestResponse(target: string): Promise<LogDetails | undefined> {
  const log = await control('log')
  const entry = log?.findLast((candidate) => candidate.target === target && candidate.status > 0)
  return entry && control('logEntry', { id: entry.id })
}

/** A response that is being edited stays so when its form is closed. */
const drafts = new Map<string, { body: Draft; status: Draft; headers: Draft; contentType?: string }>()

/** Opens a form for a custom response. That of an operation is checked against the contract, unless that is switched off. */
export function editResponse(target: string, preset: Preset): void {
  const isOperation = !target.includes(' ')
  const text = preset.text ?? (preset.body === undefined ? '' : JSON.stringify(preset.body, null, 2))
  const key = `${target} ${text} ${preset.status}`
  const kept = drafts.get(key) ?? {
    status: draft(String(preset.status || 200)),
    body: draft(text),
    headers: draft(headerLines(preset.headers).join('\n')),
    contentType: preset.contentType,
  }
  drafts.clear()
  drafts.set(key, kept)
  const { status, body, headers } = kept
  const limits = limitDrafts(preset)
  const unchecked = signal(preset.unchecked ?? false)
  const useLatest = async () => {
    const stored = await latestResponse(target)
    if (!stored) return toast(`There is no response of ${target} in the log.`)
    const found = presetOf(stored)
    status.set(String(found.status))
    body.set(found.text ?? '')
    kept.contentType = found.contentType
  }
  openDialog({
    title: `Response of ${target}`,
    submit: 'Respond with this',
    content: (
      <>
        <Field label="Status" draft={status} isNumber />
        <Field label="Headers" draft={headers} rows={1} placeholder="Retry-After: 5" />
        <Field label="Body" draft={body} rows={10} />
        <div class="bar">
          <button type="button" onClick={useLatest}>
            Begin with the latest response
          </button>
        </div>
        <LimitFields {...limits} />
        {isOperation && (
          <label class="switch">
            <input
              type="checkbox"
              checked={unchecked.value}
              onChange={({ currentTarget }) => {
                unchecked.value = currentTarget.checked
              }}
            />
            Send it even if the contract does not allow it
          </label>
        )}
      </>
    ),
    async onSubmit() {
      if (!/^[2-5]\d\d$/.test(status.text.value.trim()))
        status.fault.value = 'Enter a status from 200 to 599.'
      if (!areValid(limits) || status.fault.value) return ''
      const value = body.text.value
      const { contentType } = kept
      const parsed = isText(contentType) ? undefined : parse(value)
      if (!parsed && isOperation && !unchecked.value) {
        body.fault.value = 'This is not JSON. Without the check it can be any text.'
        return ''
      }
      const own = readHeaders(headers)
      if (headers.fault.value) return ''
      const response = {
        status: Number(status.text.value),
        ...(own && { headers: own }),
        ...(isOperation && unchecked.value && { unchecked: true }),
        // For a handler, an empty text is no body.
        ...(parsed ?? ((value || isOperation) && { text: value, contentType })),
      }
      const { error } = await change('setScenario', { target, response, ...valuesOf(limits) } as never)
      if (error !== undefined) {
        body.fault.value = error
        return ''
      }
      drafts.clear()
      return true
    },
  })
}
