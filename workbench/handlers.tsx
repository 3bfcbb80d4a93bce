// The handlers: everything that the mock answers, its forced outcomes, and the controls of all of it.

import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isDelay } from '../src/mock/engine/delays.js'
import { chaosTexts } from '../src/mock/engine/forced-text.js'
import type { TargetName } from '../src/mock/engine/target-name.js'
import type { ListedTarget } from '../src/mock/engine/targets.js'
import { type Draft, draft, Field, Select } from './dialog.js'
import { forcedText, openOutcomes, respond } from './outcome-forms.js'
import { change, perform } from './perform.js'
import { chaos, clock, delays, named, scenarioOf, scenarios, show, targets } from './store.js'
import { control, download } from './toasts.js'

export const handlerSearch = signal('')

const startOf = (path: string, length: number) =>
  new RegExp(`^(https?://[^/]+)?(/[^/]+){1,${length}}`).exec(path)?.[0] ?? path

/** Paths with the same two first parts are a group; those that are alone with theirs, by the first. */
function groupOf({ path, method, kind }: ListedTarget, counts: Map<string, number>): string {
  if (kind === 'unanswered') return 'Without a handler'
  if (/^(query|mutation|operation)$/.test(method)) return 'GraphQL'
  const start = startOf(path, 2)
  return (counts.get(start) ?? 0) > 1 ? start : startOf(path, 1)
}

/** Groups and rows keep their places: forced outcomes are in Next, too. */
const groups = computed(() => {
  const words = handlerSearch.value.toLowerCase().split(/\s+/).filter(Boolean)
  const counts = new Map<string, number>()
  for (const { path, kind } of targets.value)
    if (kind !== 'unanswered') counts.set(startOf(path, 2), (counts.get(startOf(path, 2)) ?? 0) + 1)
  const matching = targets.value.filter(({ target, method, path }) =>
    words.every((word) => `${target} ${method} ${path}`.toLowerCase().includes(word)),
  )
  const list = new Map<string, ListedTarget[]>()
  for (const target of matching) {
    const name = groupOf(target, counts)
    list.set(name, [...(list.get(name) ?? []), target])
  }
  return { count: matching.length, list: [...list] }
})

export const limitsOf = ({ times, session }: { times?: number; session?: string }): string =>
  [times && `${times} left`, session && `for ${session}`].filter(Boolean).join(', ')

function Row({ target }: { target: ListedTarget }) {
  const { target: name, kind, method, path, hits, last } = target
  const forced = scenarioOf(name)
  const delay = delays.value.operations[name]
  const isUnanswered = kind === 'unanswered' && !forced
  const text = forced ? forcedText(forced) : isUnanswered ? 'respond' : 'as usual'
  const notes = [forced && limitsOf(forced), delay && `${delay} ms`].filter(Boolean).join(', ')
  return (
    <li class={forced ? 'is-forced' : undefined}>
      <span class="method">{method}</span>
      <span class="path" title={path}>
        {path} {kind === 'operation' && <small>{name}</small>}
      </span>
      <span class="quiet notes">{notes}</span>
      <span class="quiet hits">
        {hits > 0 && `${hits.toLocaleString('en')} ${hits === 1 ? 'call' : 'calls'}`}
        {last && ` · ${last.status || 'none'}`}
      </span>
      <button
        type="button"
        class={forced ? 'choice opens forced' : 'choice opens'}
        data-target={name}
        aria-haspopup="dialog"
        aria-label={`Outcome of ${name}: ${text}${forced ? ', forced' : ''}`}
        onClick={({ currentTarget }) =>
          isUnanswered ? respond(target) : openOutcomes(currentTarget, target)
        }
      >
        {text}
      </button>
    </li>
  )
}

const delayFault = 'Enter milliseconds, as 300, or a range, as 200-800.'
const delayDraft = draft()
let shownDelay = '0'

let delayCalls = 0

async function setDelay(ms: string): Promise<void> {
  delayCalls += 1
  const mine = delayCalls
  const value = ms.trim() || '0'
  const { error } = await change('setDelay', { ms: value })
  // A button sets another delay after the field that it takes the focus from.
  if (mine !== delayCalls) return
  if (error !== undefined) {
    delayDraft.fault.value = delayFault
    return
  }
  shownDelay = value
  delayDraft.set(value === '0' ? '' : value)
}

function Delay() {
  const { all } = delays.value
  useEffect(() => {
    if (all === shownDelay && delayDraft.text.value !== '') return
    shownDelay = all
    delayDraft.set(all === '0' ? '' : all)
  }, [all])
  return (
    <section class="card" aria-labelledby="delay-title">
      <h2 id="delay-title">Delay</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void setDelay(delayDraft.text.value)
        }}
        onFocusOut={() => {
          const text = delayDraft.text.value.trim()
          if (text !== (shownDelay === '0' ? '' : shownDelay)) void setDelay(text)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          delayDraft.set(shownDelay === '0' ? '' : shownDelay)
          ;(event.target as HTMLElement).blur()
          event.stopPropagation()
        }}
      >
        <Field label="Of all responses, in ms" draft={delayDraft} placeholder="200-800" />
      </form>
      <div class="joined">
        {['0', '300', '200-800', '3000'].map((ms) => (
          <button key={ms} type="button" aria-pressed={all === ms} onClick={() => setDelay(ms)}>
            {ms === '0' ? 'none' : ms}
          </button>
        ))}
      </div>
    </section>
  )
}

const chaosDrafts = { operation: draft(), rate: draft(), delay: draft(), seed: draft() }
const chaosFault = signal('')

async function startChaos(): Promise<void> {
  const { operation, rate, delay, seed } = chaosDrafts
  const text = ({ text }: Draft) => text.value.trim()
  const percent = Number(text(rate))
  if (!(percent >= 0 && percent <= 100)) rate.fault.value = 'Enter a number from 0 to 100.'
  if (text(delay) && !isDelay(text(delay))) delay.fault.value = delayFault
  if (!/^(-?\d+)?$/.test(text(seed))) seed.fault.value = 'Enter a whole number, or nothing.'
  if (!text(rate) && !text(delay)) rate.fault.value = 'Enter how many per cent fail, or a delay.'
  chaosFault.value = ''
  if ([rate, delay, seed].some(({ fault }) => fault.value)) return
  const input = {
    ...(text(rate) && { errorRate: percent / 100 }),
    ...(text(delay) && { delay: text(delay) }),
    ...(text(seed) && { seed: Number(text(seed)) }),
    ...(text(operation) && { target: text(operation) as TargetName }),
  }
  const { error } = await change('setChaos', input)
  chaosFault.value = error ?? ''
}

function Chaos() {
  const { operation, rate, delay, seed } = chaosDrafts
  const running = chaosTexts(chaos.value)
  return (
    <section class="card" aria-labelledby="chaos-title">
      <h2 id="chaos-title">Chaos</h2>
      {running.map((text) => (
        <p key={text} class="runs">
          {text}
        </p>
      ))}
      <p class="quiet">Some requests fail at random. The same seed repeats the same failures.</p>
      <form
        class="grid-form"
        onSubmit={(event) => {
          event.preventDefault()
          void startChaos()
        }}
      >
        <Select
          label="Operation"
          draft={operation}
          options={[['', 'all'], ...targets.value.map(({ target }): [string] => [target])]}
        />
        <Field label="Fail, in %" draft={rate} placeholder="10" isNumber />
        <Field label="Delay, in ms" draft={delay} placeholder="200-2000" />
        <Field label="Seed" draft={seed} placeholder="any" isNumber />
        <div class="bar">
          <button type="submit">{running.length > 0 ? 'Change chaos' : 'Start chaos'}</button>
          {running.length > 0 && (
            <button type="button" onClick={() => perform('clearChaos')}>
              Stop chaos
            </button>
          )}
        </div>
      </form>
      <p class="fault" role="alert">
        {chaosFault}
      </p>
    </section>
  )
}

const clockDraft = draft()
const isTicking = signal(false)
const modes: Record<string, string> = { fixed: 'stopped', ticking: 'ticking from the time set' }

async function setClock(): Promise<void> {
  const at = clockDraft.text.value.trim()
  const { error } = await change('setClock', { at, ticking: isTicking.value })
  if (error !== undefined) clockDraft.fault.value = 'Enter a time with its zone, as 2026-01-01T00:00:00Z.'
}

function Clock() {
  const time = clock.value
  const isReal = time?.mode === 'real'
  return (
    <section class="card" aria-labelledby="clock-title">
      <h2 id="clock-title">Clock</h2>
      <p class="quiet" id="clock-now">
        {isReal
          ? "The mock's time is the real time."
          : time && `The mock's time is ${time.now}: ${modes[time.mode]}.`}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void setClock()
        }}
      >
        <Field label="Time" draft={clockDraft} placeholder="2026-01-01T00:00:00Z" />
        <div class="bar">
          <label class="switch">
            <input
              type="checkbox"
              checked={isTicking.value}
              onChange={({ currentTarget }) => {
                isTicking.value = currentTarget.checked
              }}
            />
            ticks
          </label>
          <button type="submit">Set</button>
          <button type="button" disabled={isReal} onClick={() => perform('setClock')}>
            Real time
          </button>
        </div>
      </form>
    </section>
  )
}

const moveFocus = (event: KeyboardEvent) => {
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Escape' && event.target instanceof HTMLInputElement) {
    document.querySelector<HTMLElement>('#operations button')?.focus()
    event.stopPropagation()
    return
  }
  if (!way) return
  event.preventDefault()
  const list = [...document.querySelectorAll<HTMLElement>('#outcome-search, #operations button')]
  list[list.indexOf(event.target as HTMLElement) + way]?.focus()
}

export function showHandler(target: string): void {
  show('handlers')
  handlerSearch.value = target
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-target="${CSS.escape(target)}"]`)?.focus(),
  )
}

export function Handlers() {
  const { count, list } = groups.value
  const all = targets.value.length.toLocaleString('en')
  return (
    <section class="view handlers" aria-label="Handlers" id="handlers" tabIndex={-1}>
      <div class="operations-part">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows move from the field to the list */}
        <div class="head" onKeyDown={moveFocus}>
          <input
            id="outcome-search"
            type="search"
            aria-label="Search in the operations"
            placeholder="Search"
            autocomplete="off"
            spellcheck={false}
            value={handlerSearch.value}
            onInput={({ currentTarget }) => {
              handlerSearch.value = currentTarget.value
            }}
          />
          <span class="quiet summary" role="status">
            {targets.value.length === 0
              ? ''
              : count === targets.value.length
                ? `${all} operations`
                : `${count} of ${all} operations`}
          </span>
          <button
            type="button"
            title="Forced outcomes as a file of MSW handlers"
            onClick={async () => {
              const exported = await control('exportHandlers')
              if (exported) download('handlers.ts', exported.text)
            }}
          >
            Export
          </button>
          <button
            type="button"
            disabled={scenarios.value.length === 0}
            onClick={() => perform('clearScenarios')}
          >
            Clear all
          </button>
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows move in the list */}
        <div id="operations" class="scroller" onKeyDown={moveFocus}>
          {count === 0 && targets.value.length > 0 && (
            <div class="empty">
              <p>No operation matches the search.</p>
              <button
                type="button"
                onClick={() => {
                  handlerSearch.value = ''
                }}
              >
                Show all
              </button>
            </div>
          )}
          {list.map(([name, members]) => (
            <section key={name} class="group">
              <h2>{name}</h2>
              <ul>
                {members.map((target) => (
                  <Row key={target.target} target={target} />
                ))}
              </ul>
            </section>
          ))}
        </div>
      </div>
      <div class="side">
        <section class="card" aria-labelledby="named-title">
          <h2 id="named-title">Scenarios</h2>
          {Object.entries(named.value).map(([name, description]) => (
            <label key={name} class="switch">
              <input
                type="checkbox"
                checked={scenarioOf(name) !== undefined}
                onChange={({ currentTarget: { checked } }) =>
                  perform(checked ? 'setScenario' : 'clearScenarios', { target: name })
                }
              />
              <span>
                <strong>{name}</strong> {description}
              </span>
            </label>
          ))}
        </section>
        <Delay />
        <Chaos />
        <Clock />
      </div>
    </section>
  )
}
