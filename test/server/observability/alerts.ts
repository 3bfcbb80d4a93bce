import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, vi } from 'vitest'
import { parse } from 'yaml'

const file = 'deploy/prometheus-rules.yaml'

type Rule = { expr: string }
/** One value each minute; undefined where the target could not be scraped. */
type Series = { labels: Record<string, string>; values: (number | undefined)[] }
const { groups }: { groups: { rules: Rule[] }[] } = parse(readFileSync(file, 'utf8'))
const rules = groups.flatMap((group) => group.rules)

/** Scrapes that stand for one minute each. */
type Timeline = {
  series(): Series[]
  minutes(): number
  /** Adds a minute; undefined if the target could not be scraped. */
  add(text: string | undefined): void
}

function createTimeline(): Timeline {
  const all = new Map<string, Series>()
  let minutes = 0
  const target = { job: 'dashboard-api', instance: 'a' }

  const add = (samples: { name: string; labels: Record<string, string>; value: number }[]) => {
    for (const { name, labels, value } of samples) {
      const key = JSON.stringify([name, labels])
      const series = all.get(key) ?? { labels: { __name__: name, ...target, ...labels }, values: [] }
      series.values[minutes] = value
      all.set(key, series)
    }
    minutes += 1
    for (const { values } of all.values()) values.length = minutes
  }
  return {
    series: () => [...all.values()],
    minutes: () => minutes,
    add(text) {
      add([{ name: 'up', labels: {}, value: text === undefined ? 0 : 1 }, ...samplesOf(text ?? '')])
    },
  }
}

/** The samples of Prometheus' text format, of the metrics that a rule names. */
const samplesOf = (text: string) =>
  [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)]
    .map(([, name = '', list = '', value = '']) => ({
      name,
      labels: Object.fromEntries(
        [...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text = '']) => [label, text]),
      ) as Record<string, string>,
      value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value),
    }))
    .filter(({ name }) => rules.some(({ expr }) => expr.includes(name)))

/** Why alerts cannot be evaluated here. */
export const noPromtool =
  spawnSync('promtool', ['--version']).status === 0 ? undefined : 'promtool is not installed'

/** What promtool says of a timeline where other alerts fire than these; empty if they are the same. */
function promtoolFaults(timeline: Timeline, expected: { minute: number; alerts: string[] }[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'))
  const name = (labels: Series['labels']) => {
    const { __name__, ...others } = labels
    const list = Object.entries(others).map(([label, value]) => `${label}="${value}"`)
    return `${__name__}{${list.join(',')}}`
  }
  const literal = (value: number | undefined, before: number | undefined) =>
    value === undefined ? (before === undefined ? '_' : 'stale') : String(value).replace('Infinity', 'Inf')
  const test = {
    rule_files: [resolve(file)],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: timeline.series().map(({ labels, values }) => ({
          series: name(labels),
          values: Array.from(values, (value, i) => literal(value, values[i - 1])).join(' '),
        })),
        promql_expr_test: expected.map(({ minute, alerts }) => ({
          expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: `${minute}m`,
          exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
        })),
      },
    ],
  }
  try {
    writeFileSync(join(folder, 'test.yaml'), JSON.stringify(test))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', join(folder, 'test.yaml')], {
      encoding: 'utf8',
    })
    return status === 0 ? '' : stdout + stderr
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export type Observed = {
  /** The metrics as text; rejects if the service cannot be scraped. */
  read(): Promise<string>
  /** What users do in a minute. */
  use?(): Promise<unknown>
  fault(): unknown
  /** Whether the metrics show the fault. */
  isSeen?(metrics: string): boolean
  /** How long the fault lasts. */
  minutes?: number
}

/**
 * Runs a service, with users and without, then makes a fault. Expects that no alert fires before it, and exactly these at
 * its end: Prometheus' own promtool evaluates the rules.
 */
export async function expectAlerts(
  { read, use, fault, isSeen = () => true, minutes = 8 }: Observed,
  alerts: string[],
): Promise<void> {
  const timeline = createTimeline()
  for (let minute = 0; minute < 18; minute += 1) {
    if (minute < 3) await use?.()
    // The minutes of this test are shorter than a slow write of a machine that has much to do.
    const metrics = await vi.waitUntil(async () => {
      const text = await read()
      return text.includes('store_waiting_writes 0') && text
    }, 60_000)
    timeline.add(metrics)
  }
  const healthy = timeline.minutes() - 1
  await fault()
  await expect.poll(async () => isSeen(await read().catch(() => ''))).toBe(true)
  for (let minute = 0; minute < minutes; minute += 1) {
    await use?.()
    timeline.add(await read().catch(() => undefined))
  }
  const end = timeline.minutes() - 1
  expect(
    promtoolFaults(timeline, [
      { minute: healthy, alerts: [] },
      { minute: end, alerts },
    ]),
  ).toBe('')
}
