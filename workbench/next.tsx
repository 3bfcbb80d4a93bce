// Next: everything that will not be as usual, above the bar "Now", each with the control that ends it.

import { computed } from '@preact/signals'
import { chaosTexts, statusOf } from '../src/mock/engine/forced-text.js'
import type { Scenario } from '../src/mock/engine/scenarios.js'
import type { TargetName } from '../src/mock/engine/target-name.js'
import { limitText } from '../src/mock/state/limit-words.js'
import { Avatar } from './avatar.js'
import { toneOf } from './entry-text.js'
import { endForced, forcedText, openAllOutcomes } from './outcome-forms.js'
import { perform } from './perform.js'
import { chaos, clock, delays, personas, scenarios, sessions, targets } from './store.js'

type Unusual = {
  key: string
  /** In one line, e.g. `createProject: 409 PROJECT_NAME_TAKEN (next request)`. */
  text: string
  target?: string
  status?: number
  result: string
  limit: string
  session?: string
  end(): unknown
}

function ofScenario(scenario: Scenario): Unusual {
  const { target, session, response, outcome, times } = scenario
  const result = forcedText(scenario)
  const limit = limitText({ times })
  return {
    key: `${target} ${session}`,
    text: `${target}: ${result} (${[limit, session && `for ${session}`].filter(Boolean).join(', ')})`,
    target,
    status: response ? (response.status ?? 200) : outcome === undefined ? undefined : statusOf(outcome),
    result,
    limit,
    session,
    end: () => endForced(target),
  }
}

const lasting = (text: string, result: string, end: () => unknown, target?: string): Unusual => ({
  key: text,
  text,
  target,
  result,
  limit: limitText({}),
  end,
})

/** A persona whose session ends within this time is about to expire. */
const soonMs = 3_600_000

function expiring(): Unusual[] {
  const { you } = sessions.value ?? {}
  const { expiresAt } = personas.value.find(({ id }) => id === you) ?? {}
  const left = Date.parse(expiresAt ?? '') - Date.parse(clock.value?.now ?? '')
  if (!(left > 0 && left < soonMs)) return []
  const when = new Date(expiresAt ?? '').toLocaleTimeString('en-GB')
  return [
    {
      key: 'expires',
      text: `${you} expires at ${when}`,
      result: 'the session ends',
      limit: `at ${when}`,
      session: you,
      end: () =>
        perform('setRecord', {
          kind: 'sessions',
          key: you ?? '',
          fields: { expiresAt: null },
        }),
    },
  ]
}

/** Everything that differs from the ordinary, each with the control that ends it. */
export const unusual = computed<Unusual[]>(() => {
  const { all, operations } = delays.value
  const { mode = 'real', now = '' } = clock.value ?? {}
  return [
    ...scenarios.value.map(ofScenario),
    ...Object.entries(operations).map(([operation, ms]) =>
      lasting(
        `delay of ${operation} ${ms} ms`,
        `${ms} ms later`,
        () => perform('setDelay', { ms: null, target: operation as TargetName }),
        operation,
      ),
    ),
    ...(all === '0'
      ? []
      : [lasting(`delay ${all} ms`, `${all} ms later`, () => perform('setDelay', { ms: 0 }))]),
    ...chaosTexts(chaos.value).map((text) => {
      const operation = /^chaos of (.*?): /.exec(text)?.[1]
      const end = () => perform('clearChaos', { target: operation as TargetName | undefined })
      return lasting(text, text.replace(/^chaos.*?: /, ''), end, operation)
    }),
    ...(mode === 'real'
      ? []
      : [
          lasting(
            `clock ${mode}`,
            mode === 'fixed' ? `the clock stands at ${now.slice(0, 16).replace('T', ' ')}` : 'another time',
            () => perform('setClock'),
          ),
        ]),
    ...expiring(),
  ]
})

function Ghost({ text, target, status, result, limit, session, end }: Unusual) {
  const { method = '', path = target ?? 'every request' } =
    targets.value.find((each) => each.target === target) ?? {}
  const [first = '', ...rest] = result.split(' ')
  return (
    <li class="log-row coming" title={text}>
      <span class="time">next</span>
      <span class="line">
        <i class="ring" />
      </span>
      <span class="method">{method}</span>
      <span class="path">{path}</span>
      <span class={`result outcome ${status === undefined ? 'warn' : toneOf(status)}`}>
        {status === undefined ? (
          <span>{result}</span>
        ) : (
          <span>
            {first} <span class="code">{rest.join(' ')}</span>
          </span>
        )}
      </span>
      <span class="limit">
        {limit}
        {' · '}
        {session === undefined ? (
          'everyone'
        ) : (
          <span class="caller">
            <Avatar session={session} /> {session}
          </span>
        )}
      </span>
      <button type="button" class="link" aria-label={`End ${text}`} title="End this" onClick={end}>
        ×
      </button>
    </li>
  )
}

export function Next() {
  const all = unusual.value
  const things = `${all.length} ${all.length === 1 ? 'thing' : 'things'} will not be as usual`
  return (
    <section id="next" class={all.length > 0 ? 'some' : ''} aria-label="Next">
      <p class="tense">
        <b>Next</b> <span>{all.length === 0 ? 'everything responds as usual' : things}</span>
        <button
          id="force-any"
          type="button"
          class="link"
          title="Force an outcome of any operation (F)"
          onClick={({ currentTarget }) => openAllOutcomes(currentTarget)}
        >
          + Force an outcome
        </button>
        <kbd>Shift F</kbd>
      </p>
      {all.length > 0 && (
        <ul tabIndex={all.length > 3 ? 0 : undefined}>
          {all.map((each) => (
            <Ghost {...each} key={each.key} />
          ))}
        </ul>
      )}
    </section>
  )
}
