import { resolve } from 'node:path'
import type { OperationName } from '../../../contract/operations.js'
import type { Controls } from '../../../mock/core/controls.js'
import { profileText } from '../../../mock/core/forced-text.js'
import type { Scenario } from '../../../mock/core/scenarios.js'
import { keyOf } from '../../../mock/core/state-changes.js'
import type { StateKind } from '../../../store/state-file.js'
import { parseBody, readResponse } from '../../mock/read-response.js'
import { describeStep } from '../../mock/show-step.js'
import { pluralize } from '../../output/pluralize.js'
import { fieldValue } from './data-table.js'
import { scenarioText } from './texts.js'

/** A side effect of a key. */
export type Effect =
  | { type: 'use'; id: string }
  | { type: 'force'; scenario: Scenario }
  | { type: 'respond'; target: OperationName; text: string; once: boolean; unchecked: boolean }
  | { type: 'clear'; target?: string }
  | { type: 'chaos'; text: string; operation?: OperationName }
  | { type: 'delay'; ms: string; operation?: OperationName }
  | { type: 'clock'; at: string; ticking: boolean }
  | { type: 'reset' }
  | { type: 'undo' | 'redo' }
  | { type: 'rewind' | 'send'; id: number }
  | { type: 'save'; name: string }
  | { type: 'load'; name: string }
  | { type: 'setField'; kind: StateKind; key: string; field: string; text: string }
  | { type: 'addRecord'; kind: StateKind; text: string }
  | { type: 'removeRecord'; kind: StateKind; key: string; dependants: boolean }
  | { type: 'open' }
  | { type: 'quit' }

export type EffectContext = { controls: Controls; openPage(): Promise<void>; quit(): void }

/**
 * Runs an effect.
 * @returns a sentence that reports it; empty after `quit`
 * @throws ControlError if the mock refuses it, UserError for a file that cannot be read
 */
export async function runEffect(
  effect: Effect,
  { controls, openPage, quit }: EffectContext,
): Promise<string> {
  switch (effect.type) {
    case 'use':
      await controls.sessions.use(effect.id)
      return `session=active now stands for ${effect.id}.`
    case 'force':
      await controls.scenarios.set(effect.scenario)
      return `Forced: ${scenarioText(effect.scenario)}.`
    case 'respond': {
      const { target, once } = effect
      const response = await enteredResponse(effect)
      const scenarios = await controls.scenarios.set({ target, response, ...(once && { times: 1 }) })
      return `Forced: ${scenarios.slice(-1).map(scenarioText).join('')}.`
    }
    case 'chaos': {
      const { text, operation } = effect
      const name = operation ?? 'all operations'
      if (text === '') {
        await controls.chaos.clear(operation)
        return `Ended chaos of ${name}.`
      }
      const [rate, delay, seed] = text.split(/\s+/)
      const setting = { errorRate: Number(rate), delay, seed: seed === undefined ? undefined : Number(seed) }
      const { all, operations } = await controls.chaos.set({ ...setting, operation })
      const profile = operation ? operations[operation] : all
      return `Chaos of ${name}: ${profile ? profileText(profile) : 'none'}.`
    }
    case 'clear':
      await controls.scenarios.clear(effect.target)
      if (effect.target === undefined) await controls.chaos.clear()
      return `Nothing is forced${effect.target ? ` on ${effect.target}` : ''}.`
    case 'delay': {
      const { ms, operation } = effect
      // An empty text removes the delay.
      await controls.delay.set(ms === '' ? null : ms, operation)
      const name = operation ? `delay of ${operation}` : 'delay'
      return ms === '' ? `Removed the ${name}.` : `Set the ${name} to ${ms} ms.`
    }
    case 'clock': {
      const { at, ticking } = effect
      // An empty text returns to the real time.
      const { mode, now } = await controls.clock.set(at === '' ? undefined : { at, ticking })
      if (mode === 'real') return 'The clock shows the real time.'
      return mode === 'fixed' ? `The clock is stopped at ${now}.` : `The clock runs from ${now}.`
    }
    case 'reset':
      await controls.reset()
      return 'The mock was reset. The log was kept.'
    case 'undo':
    case 'redo': {
      const step = await controls[effect.type]()
      const text = describeStep(effect.type === 'undo' ? 'Undone' : 'Made again', step)
      return [text, step.warning].filter(Boolean).join(' ')
    }
    case 'rewind': {
      const step = await controls.log.rewind(effect.id)
      return [describeStep('Done', step), step.warning].filter(Boolean).join(' ')
    }
    case 'send': {
      const { id, status } = await controls.log.send(effect.id)
      return `Sent again, as request ${id}: ${status || 'no response'}.`
    }
    case 'save':
      await controls.snapshots.save(effect.name)
      return `Saved snapshot ${effect.name}.`
    case 'load': {
      const { warning } = await controls.snapshots.load(effect.name)
      return [`Loaded snapshot ${effect.name}.`, warning].filter(Boolean).join(' ')
    }
    case 'setField': {
      const { kind, key, field, text } = effect
      const { warning } = await controls.data.set(kind, key, { [field]: fieldValue(kind, field, text) })
      return [`Changed ${field} of ${key}.`, warning].filter(Boolean).join(' ')
    }
    case 'addRecord':
      return `Added ${await addRecord(effect.kind, effect.text, controls)}. Arrows and Enter edit its fields.`
    case 'removeRecord': {
      const { kind, key, dependants } = effect
      if (kind === 'sessions') {
        // With its user, as `persona remove`.
        const { warning } = await controls.sessions.remove(key)
        return [`Removed ${key}; u takes it back.`, warning].filter(Boolean).join(' ')
      }
      const { removed, warning } = await controls.data.remove(kind, key, { dependants })
      const count = Object.values(removed).reduce((sum, each) => sum + each, 0)
      return [`Removed ${pluralize(count, 'record')}; u takes it back.`, warning].filter(Boolean).join(' ')
    }
    case 'open':
      await openPage()
      return 'Opened the page in the browser.'
    case 'quit':
      quit()
      return ''
  }
}

/** Adds a record of which the name or the address was entered. @returns its key */
async function addRecord(kind: StateKind, text: string, { data, sessions }: Controls): Promise<string> {
  if (kind === 'sessions') {
    const [id = '', orgCode] = text.split(/\s+/)
    await sessions.add({ id, ...(orgCode !== undefined && { orgCode }) })
    return id
  }
  const field = kind === 'users' || kind === 'waitlist' ? 'email' : 'name'
  return keyOf((await data.add(kind, { [field]: text })).record)
}

/** A response as it was entered: JSON or the path of a file, after a status if it has one, e.g. `502 page.html`. */
async function enteredResponse({ text, unchecked }: Extract<Effect, { type: 'respond' }>) {
  const [, first, rest = ''] = /^(?:(\d{3})\s+)?(.*)$/s.exec(text) ?? []
  const status = first === undefined ? undefined : Number(first)
  if (/^[[{"]/.test(rest)) return { ...parseBody(rest, 'What was entered', unchecked), status, unchecked }
  return readResponse(resolve(rest), { status, unchecked })
}
