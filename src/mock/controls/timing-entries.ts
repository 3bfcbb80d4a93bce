import type { Commands, Descriptions, Endpoints, Words } from './control-entry.js'
import type { FieldWords } from './control-fields.js'
import type { createTimingControls } from './timing-controls.js'

export const endpoints = {
  delay: ['GET /__dev/delay', 'delay.get'],
  setDelay: ['PUT /__dev/delay', 'delay.set', 'ms', 'target'],
  chaos: ['GET /__dev/chaos', 'chaos.get'],
  setChaos: ['PUT /__dev/chaos', 'chaos.set', '...'],
  clearChaos: ['DELETE /__dev/chaos', 'chaos.clear', 'target'],
  clock: ['GET /__dev/clock', 'clock.get'],
  setClock: ['PUT /__dev/clock', 'clock.set', '...'],
} as const satisfies Endpoints<ReturnType<typeof createTimingControls>>

const of = (target: unknown): string => (target === undefined ? '' : ` of ${target}`)
/** For one target, 0 is a delay, too: that of all responses is not for it. */
const isNone = ({ ms, target }: { ms?: unknown; target?: unknown }) =>
  ms === null || (target === undefined && String(ms) === '0')
const percent = (rate: unknown) => Number((Number(rate) * 100).toPrecision(6))
/** A time without its zone at midnight: `2026-01-01`. */
const dayOf = (at: unknown) => String(at).replace(/T00:00:00(\.000)?Z$/, '')

export const words: Words<typeof endpoints> = {
  setDelay: {
    will: (input) =>
      isNone(input)
        ? `No delay${of(input.target)}`
        : `Delay ${input.target ?? 'all responses'} by ${input.ms} ms`,
    did: (input) =>
      isNone(input)
        ? `the delay${of(input.target)} was removed`
        : `the delay${of(input.target)} was set to ${input.ms} ms`,
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
}

export const commands = {
  setDelay: {
    usages: { 'delay set <ms> [target]': {}, 'delay clear [target]': { ms: null } },
    verbs: ['delay'],
    example: 'delay 300, delay 200-800 list, delay off',
  },
  delay: { usages: { 'delay show': {} } },
  setChaos: {
    usages: { 'chaos set [target]': {} },
    fields: { errorRate: 'number', delay: 'text', seed: 'number', outcomes: 'list' },
    verbs: ['chaos'],
    example: 'chaos 10, chaos 10 create, chaos off',
  },
  chaos: { usages: { 'chaos show': {} } },
  clearChaos: { usages: { 'chaos clear [target]': {} } },
  setClock: {
    usages: { 'clock set <at>': {}, 'clock clear': {} },
    fields: { ticking: 'flag' },
    verbs: ['clock'],
    example: 'clock 2026-01-01, clock 2026-01-01 ticking, clock real',
  },
  clock: { usages: { 'clock show': {} } },
} as const satisfies Commands<typeof endpoints>

export const describe = ({
  z,
  meta,
  strict,
  nothing,
  optional,
  flag,
  milliseconds,
  outcome,
  target,
}: FieldWords) => {
  const rate = 'Expected a number from 0 to 1, e.g. 0.1.'
  return {
    delay: { about: 'Show the delay of responses.', input: nothing, tool: 'overview' },
    setDelay: {
      about: 'Set the delay of responses. The outcome hang gives none at all.',
      input: strict({
        ms: milliseconds.nullable().meta(
          meta('300, 200-800, or null: none', {
            help: 'milliseconds, e.g. 300, or a range, e.g. 200-800',
          }),
        ),
        target,
      }),
      tool: { name: 'set_delay' },
      help: {
        'delay set <ms> [target]': { examples: ['300', '200-800 createProject'] },
        'delay clear [target]': {
          about: 'Remove every delay, or that of one operation.',
          examples: ['createProject', ''],
        },
      },
    },
    chaos: { about: 'Show the failure profiles.', input: nothing, tool: 'overview' },
    setChaos: {
      about:
        'Let requests fail or wait at random, in place of an earlier profile. The same seed repeats the same failures.',
      input: strict({
        errorRate: z
          .number(rate)
          .min(0, rate)
          .max(1, rate)
          .meta(meta('e.g. 0.1', { value: 'rate', help: 'the part of the requests that fail, e.g. 0.1' }))
          .optional(),
        delay: milliseconds
          .meta(
            meta('ms, e.g. 300, or 200-2000', { help: 'milliseconds, e.g. 300, or a range, e.g. 200-2000' }),
          )
          .optional(),
        seed: z
          .number('Expected a whole number, e.g. 1.')
          .meta(
            meta('', {
              help: 'repeat what this seed drew (default: the seed of the mock, else any)',
            }),
          )
          .optional(),
        outcomes: z
          .array(outcome)
          .meta(
            meta(
              'how requests fail: error codes, statuses, drop, hang (default: INTERNAL_ERROR and SERVICE_UNAVAILABLE)',
              { value: 'outcome...' },
            ),
          )
          .optional(),
        target,
      }),
      tool: { name: 'set_chaos' },
      help: {
        'chaos set [target]': {
          examples: [
            '--error-rate 0.1 --delay 200-2000 --seed 7',
            'createProject --error-rate 0.5 --outcome 503 drop',
          ],
        },
      },
    },
    clearChaos: {
      about: 'End chaos, or that of one target.',
      input: strict({ target }),
      tool: { name: 'clear_chaos' },
      help: { 'chaos clear [target]': { examples: ['createProject', ''] } },
    },
    clock: { about: 'Show the current time of the mock.', input: nothing, tool: 'overview' },
    setClock: {
      about: 'Stop the clock at a time, or let it run from there.',
      input: strict({
        at: optional('with its zone, e.g. 2026-01-01T00:00:00Z'),
        ticking: flag('let the clock run from that time'),
      }),
      tool: { name: 'set_clock' },
      help: {
        'clock set <at>': { examples: ['2026-01-01T00:00:00Z', '2026-01-01T09:00:00+01:00 --ticking'] },
        'clock clear': { about: 'Return to the real time.' },
      },
    },
  } satisfies Descriptions<typeof endpoints, typeof commands>
}
