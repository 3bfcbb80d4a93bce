import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { createMetrics } from '../../src/server/observability/metrics.js'
import { createTestApp, gauges } from '../server/server-harness.js'

const file = 'deploy/prometheus-rules.yaml'
const unitTests = 'test/package/prometheus-rules.promtool.yaml'

type Rule = {
  alert: string
  expr: string
  for?: string
  labels: Record<string, string>
  annotations: Record<string, string>
}
const document = parseDocument(readFileSync(file, 'utf8'))
const { groups }: { groups: { name: string; rules: Rule[] }[] } = document.toJS()
const rules = groups.flatMap((group) => group.rules)

/** The metrics, labels and values of labels in an expression. `promtool check rules` checks the syntax. */
function namesIn(expression: string) {
  const matchers = [...expression.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)]
  const groupings = [...expression.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(','),
  )
  return {
    metrics: expression.match(/\b(dashboard_api_\w+|nodejs_\w+|up)\b/g) ?? [],
    labels: [...matchers.map(([, label = '']) => label), ...groupings.map((label) => label.trim())],
    values: matchers.flatMap(([, label = '', values = '']) =>
      values.split('|').map((value) => ({ label, value })),
    ),
  }
}

/** The names, labels and values of labels in the metrics of a used service. */
async function exported() {
  const metrics = createMetrics({
    ...gauges,
    disk: async () => ({ size: 1, free: 1 }),
    backupAgeMs: () => 0,
  })
  metrics.onStart({ version: '1.0.0', commit: 'abc', schema: 4 })
  metrics.onSignIn()
  metrics.onStoreCall({ method: 'write', ms: 1 })
  const { app } = createTestApp({
    health: { metrics: { metrics } },
    onRequestComplete: metrics.onRequestComplete,
  })
  for (const url of ['/healthz', '/readyz', '/metrics', '/v1/projects']) await app.inject(url)
  const { body } = await app.inject('/metrics')
  await app.close()
  const samples = [...body.matchAll(/^(\w+)(?:\{(.*)\})? /gm)]
  const labels = samples.flatMap(([, , text = '']) => [...text.matchAll(/(\w+)="([^"]*)"/g)])
  return {
    metrics: new Set(samples.map(([, metric]) => metric)),
    labels: new Set(labels.map(([, label]) => label)),
    values: new Set(labels.map(([, label, value]) => `${label}=${value}`)),
  }
}

describe(file, () => {
  it('is well-formed: alerts with different names, a severity and annotations', () => {
    expect([...document.errors, ...document.warnings]).toEqual([])
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, expr, for: duration = '0s', labels, annotations, ...rest } of rules) {
      expect([alert, rest]).toEqual([expect.stringMatching(/^DashboardApi[A-Z]\w+$/), {}])
      expect([alert, expr, duration]).toEqual([
        alert,
        expect.any(String),
        expect.stringMatching(/^\d+[smh]$/),
      ])
      expect(labels.severity).toMatch(/^(info|warning|critical)$/)
      expect(Object.keys(annotations)).toEqual(['summary', 'description'])
    }
  })

  it('names metrics, labels and values that the service exports', async () => {
    const { metrics, labels, values } = await exported()
    // Prometheus adds these when it scrapes.
    for (const metric of ['up']) metrics.add(metric)
    for (const label of ['job', 'instance']) labels.add(label)
    const named = rules.map(({ expr }) => namesIn(expr))
    expect(named.flatMap((names) => names.metrics).filter((name) => !metrics.has(name))).toEqual([])
    expect(named.flatMap((names) => names.labels).filter((name) => !labels.has(name))).toEqual([])
    const unknown = named
      .flatMap((names) => names.values)
      .filter(
        ({ label, value }) => /^(operation|outcome|reason)$/.test(label) && !values.has(`${label}=${value}`),
      )
    expect(unknown).toEqual([])
    const inTexts = rules.flatMap(({ annotations }) =>
      [
        ...Object.values(annotations)
          .join()
          .matchAll(/\$labels\.(\w+)/g),
      ].map(([, label]) => label),
    )
    expect(inTexts.filter((label) => !labels.has(label))).toEqual([])
  })

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0
  it.skipIf(!hasPromtool)('passes the unit tests of promtool (skipped where it is not installed)', () => {
    for (const args of [
      ['check', 'rules', file],
      ['test', 'rules', unitTests],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
      expect(status, stdout + stderr).toBe(0)
    }
  })

  it('has each alert in the unit tests of promtool, and in the runbook', () => {
    const text = readFileSync(unitTests, 'utf8')
    expect(rules.map(({ alert }) => alert).filter((alert) => !text.includes(`"${alert}"`))).toEqual([])
    const named = readFileSync('docs/operations.md', 'utf8').match(/(?<=`)DashboardApi\w+/g)
    expect(named?.sort()).toEqual(rules.map(({ alert }) => alert).sort())
  })
})
