import { parser } from '@prometheus-io/lezer-promql'

// Evaluates what the alerting rules use of PromQL, as Prometheus 2 does. A minute is the unit of time.

type Labels = Record<string, string>
/** One value each minute; undefined where the target could not be scraped. */
export type Series = { labels: Labels; values: (number | undefined)[] }
type Sample = { labels: Labels; value: number }
type Value = number | Sample[]
type Node = ReturnType<typeof parser.parse>['topNode']

/** The value of an expression at a minute. @throws for what is not known here */
export function evaluate(expression: string, series: readonly Series[], minute: number): Value {
  const text = (node: Node) => expression.slice(node.from, node.to)
  const first = (node: Node, name: string): Node => {
    const [child] = node.getChildren(name)
    if (!child) throw new Error(`${name} is missing in ${text(node)}`)
    return child
  }

  const run = (node: Node): Value => {
    const run1 = nodes[node.name]
    if (!run1) throw new Error(`${node.name} is not known: ${text(node)}`)
    return run1(node)
  }
  const vector = (node: Node): Sample[] => {
    const value = run(node)
    if (typeof value === 'number') throw new Error(`${text(node)} is a number`)
    return value
  }

  const select = (node: Node): Series[] => {
    const matchers = node
      .getChildren('LabelMatchers')
      .flatMap((all) => all.getChildren('UnquotedLabelMatcher'))
    const tests = matchers.map((matcher) => {
      const [label, operator] = [text(first(matcher, 'LabelName')), text(first(matcher, 'MatchOp'))]
      const value = text(first(matcher, 'StringLiteral')).slice(1, -1)
      const isRegex = operator.endsWith('~')
      const matches = (found: string) =>
        isRegex ? new RegExp(`^(?:${value})$`).test(found) : found === value
      return ({ [label]: found = '' }: Labels) => matches(found) !== operator.startsWith('!')
    })
    const name = text(first(node, 'Identifier'))
    return series.filter(
      ({ labels }) => labels.__name__ === name && tests.every((isMatching) => isMatching(labels)),
    )
  }

  /** The samples of each series within a range that ends now: `[minute, value]`. */
  const range = (node: Node) => {
    const minutes = minutesOf(text(first(node, 'DurationExpr')))
    return select(first(node, 'VectorSelector')).map(({ labels, values }) => ({
      labels: withoutName(labels),
      minutes,
      points: values
        .slice(Math.max(0, minute - minutes), minute + 1)
        .map((value, i) => [Math.max(0, minute - minutes) + i, value] as const)
        .filter((point): point is readonly [number, number] => point[1] !== undefined),
    }))
  }

  const nodes: Record<string, (node: Node) => Value> = {
    NumberDurationLiteral: (node) => Number(text(node)),
    ParenExpr: (node) => run(node.firstChild?.nextSibling as Node),
    VectorSelector: (node) =>
      select(node).flatMap(({ labels, values }) => {
        const value = values[minute]
        return value === undefined ? [] : [{ labels, value }]
      }),
    AggregateExpr(node) {
      const operator = text(first(node, 'AggregateOp'))
      const by = node
        .getChildren('AggregateModifier')
        .flatMap((modifier) => first(modifier, 'GroupingLabels').getChildren('LabelName'))
        .map(text)
      const groups = new Map<string, { labels: Labels; values: number[] }>()
      for (const { labels, value } of vector(first(node, 'FunctionCallBody').firstChild as Node)) {
        const kept = Object.fromEntries(
          by.flatMap((name) => (name in labels ? [[name, labels[name] ?? '']] : [])),
        )
        const group = groups.get(keyOf(kept)) ?? { labels: kept, values: [] }
        group.values.push(value)
        groups.set(keyOf(kept), group)
      }
      return [...groups.values()].map(({ labels, values }) => ({
        labels,
        value: operator === 'count' ? values.length : values.reduce((a, b) => a + b, 0),
      }))
    },
    FunctionCall(node) {
      const name = text(first(node, 'FunctionIdentifier'))
      const args: Node[] = []
      for (let arg = first(node, 'FunctionCallBody').firstChild; arg; arg = arg.nextSibling) args.push(arg)
      const [arg, second] = args as [Node, Node]
      if (name === 'abs') {
        return vector(arg).map(({ labels, value }) => ({
          labels: withoutName(labels),
          value: Math.abs(value),
        }))
      }
      if (name === 'min_over_time') {
        return range(arg).flatMap(({ labels, points }) =>
          points.length > 0 ? [{ labels, value: Math.min(...points.map(([, value]) => value)) }] : [],
        )
      }
      if (name === 'increase' || name === 'rate') {
        return range(arg).flatMap(({ labels, minutes, points }) => {
          const increase = extrapolated(points, minute - minutes, minute)
          if (increase === undefined) return []
          return [{ labels, value: name === 'rate' ? increase / (minutes * 60) : increase }]
        })
      }
      if (name === 'histogram_quantile') return quantiles(Number(text(arg)), vector(second))
      throw new Error(`${name} is not known`)
    },
    BinaryExpr(node) {
      const operator = text(node.firstChild?.nextSibling as Node)
      const left = vector(node.firstChild as Node)
      const right = run(node.lastChild as Node)
      const partnerOf = ({ labels }: Sample) =>
        typeof right === 'number'
          ? right
          : right.find((other) => keyOf(withoutName(other.labels)) === keyOf(withoutName(labels)))?.value
      return left.flatMap((sample) => {
        const partner = partnerOf(sample)
        if (partner === undefined) return []
        if (operator === 'and') return [sample]
        if (operator === '/') {
          return [{ labels: withoutName(sample.labels), value: sample.value / partner }]
        }
        const compare = comparisons[operator]
        if (!compare) throw new Error(`${operator} is not known`)
        return compare(sample.value, partner) ? [sample] : []
      })
    },
  }
  return run(parser.parse(expression).topNode.firstChild as Node)
}

const comparisons: Record<string, (a: number, b: number) => boolean> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}

/** A length of time such as `5m`, in minutes. */
export const minutesOf = (text: string): number =>
  Number.parseInt(text, 10) * ({ s: 1 / 60, m: 1, h: 60 }[text.slice(-1)] ?? Number.NaN)

const keyOf = (labels: Labels): string => JSON.stringify(Object.entries(labels).sort())
const withoutName = ({ __name__: _, ...labels }: Labels): Labels => labels

/** By how much a counter grew within a range, as Prometheus extrapolates it to the ends of the range. */
function extrapolated(points: (readonly [number, number])[], start: number, end: number): number | undefined {
  const [firstPoint, lastPoint] = [points[0], points.at(-1)]
  if (!firstPoint || !lastPoint || points.length < 2) return undefined
  let increase = 0
  for (const [i, [, value]] of points.entries()) {
    const before = points[i - 1]?.[1] ?? value
    increase += value < before ? value : value - before
  }
  const sampled = lastPoint[0] - firstPoint[0]
  const average = sampled / (points.length - 1)
  // Only as far back as the counter can have begun at 0.
  const toZero = increase > 0 ? sampled * (firstPoint[1] / increase) : Number.POSITIVE_INFINITY
  const toStart = Math.min(firstPoint[0] - start, toZero)
  const added = [toStart, end - lastPoint[0]].map((gap) => (gap < average * 1.1 ? gap : average / 2))
  return increase * ((sampled + added.reduce((a, b) => a + b, 0)) / sampled)
}

/** The quantile of each histogram, whose samples are rates of buckets. */
function quantiles(quantile: number, buckets: Sample[]): Sample[] {
  const histograms = new Map<string, { labels: Labels; bounds: { le: number; count: number }[] }>()
  for (const { labels, value } of buckets) {
    const { le = '', ...others } = withoutName(labels)
    const histogram = histograms.get(keyOf(others)) ?? { labels: others, bounds: [] }
    histogram.bounds.push({ le: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), count: value })
    histograms.set(keyOf(others), histogram)
  }
  return [...histograms.values()].map(({ labels, bounds }) => {
    bounds.sort((a, b) => a.le - b.le)
    const rank = quantile * (bounds.at(-1)?.count ?? 0)
    const i = bounds.findIndex(({ count }) => count >= rank)
    const [bucket, below] = [bounds[i], bounds[i - 1] ?? { le: 0, count: 0 }]
    if (!bucket || (bounds.at(-1)?.count ?? 0) === 0) return { labels, value: Number.NaN }
    if (bucket.le === Number.POSITIVE_INFINITY) return { labels, value: below.le }
    const share = (rank - below.count) / (bucket.count - below.count)
    return { labels, value: below.le + (bucket.le - below.le) * share }
  })
}
