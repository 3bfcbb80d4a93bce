// The first pictures of docs/performance.md, as SVG that follows the light or dark theme of the reader.
import { rowsOf } from './target-values.js'
import { names } from './workloads.js'

const width = 760
/** The colour of the service itself; all others are grey. */
const colors = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 } .small { font-size: 11px; fill: #59636e }
  .own { fill: #0969da; stroke: #0969da } .peer { fill: #8c959f; stroke: #8c959f } .grid { stroke: #d1d9e0 }
  .line { fill: none; stroke-width: 2 } .dashed { stroke-dasharray: 5 4 } .bar { stroke: none } .strong { font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .small { fill: #9198a1 } .own { fill: #4493f8; stroke: #4493f8 }
    .peer { fill: #656c76; stroke: #656c76 } .grid { stroke: #3d444d } .line { fill: none }
  }`

const svg = (height, title, lines) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">
<style>${colors}
</style>
${lines.join('\n')}
</svg>
`

const text = (x, y, content, attributes = '') => `<text x="${x}" y="${y}" ${attributes}>${content}</text>`

/** Requests per second of the service and its peers. */
function requests(results) {
  const groups = [
    ['Production: GET /v1/projects, 50 connections', rowsOf(results, 'reads', 'list-50'), names.production],
    ['Mock: GET /v1/projects, 32 connections', rowsOf(results, 'mock', 'list-32'), names.mock],
  ]
  if (groups.some(([, rows]) => !rows)) return undefined
  const most = Math.max(...groups.flatMap(([, rows]) => rows.map(({ perSecond }) => perSecond)))
  const left = 250
  let y = 10
  const lines = groups.flatMap(([title, rows, own]) => {
    y += 16
    const heading = text(0, y, `${title}, requests per second`, 'class="strong"')
    y += 10
    const bars = rows
      .toSorted((a, b) => b.perSecond - a.perSecond)
      .map(({ name, perSecond }) => {
        const isOwn = name === own
        const length = Math.max(1, (perSecond / most) * (width - left - 70))
        const top = y
        y += 24
        return [
          text(left - 10, top + 15, name, `text-anchor="end"${isOwn ? ' class="strong"' : ''}`),
          `<rect x="${left}" y="${top + 3}" width="${length.toFixed(1)}" height="16" rx="2" class="bar ${isOwn ? 'own' : 'peer'}"/>`,
          text(left + length + 8, top + 15, Math.round(perSecond).toLocaleString('en'), 'class="small"'),
        ]
      })
    y += 8
    return [heading, ...bars.flat()]
  })
  return svg(y, 'Requests per second of production and of the mock, beside others', lines)
}

/** Latency by the share of the peak rate, on a logarithmic scale. */
function latency(results) {
  const rows = rowsOf(results, 'latency', 'latency')?.filter(({ share }) => share !== undefined)
  if (!rows?.length) return undefined
  const [left, top, bottom, right] = [56, 40, 300, 150]
  const values = rows.flatMap(({ p50, p99 }) => [p50, p99])
  const [low, high] = [
    Math.floor(Math.log10(Math.min(...values))),
    Math.ceil(Math.log10(Math.max(...values))),
  ]
  const x = (share) => left + ((share - 0.2) / 0.7) * (width - left - right)
  const y = (ms) => bottom - ((Math.log10(ms) - low) / (high - low)) * (bottom - top)
  const grid = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)).flatMap((ms) => [
    `<line x1="${left}" x2="${width - right}" y1="${y(ms)}" y2="${y(ms)}" class="grid"/>`,
    text(left - 8, y(ms) + 4, `${ms} ms`, 'class="small" text-anchor="end"'),
  ])
  const shares = [...new Set(rows.map(({ share }) => share))].map((share) =>
    text(x(share), bottom + 20, `${share * 100} %`, 'class="small" text-anchor="middle"'),
  )
  const curves = [names.production, names.fastify].flatMap((subject) =>
    ['p50', 'p99'].map((key) => {
      const points = rows.filter((row) => row.subject === subject).map((row) => [x(row.share), y(row[key])])
      const label = subject === names.production ? 'production' : 'plain Fastify'
      return {
        points,
        label: `${label}, ${key}`,
        isOwn: subject === names.production,
        isDashed: key === 'p99',
      }
    }),
  )
  const lines = curves.map(
    ({ points, isOwn, isDashed }) =>
      `<polyline points="${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}" class="line ${isOwn ? 'own' : 'peer'}${isDashed ? ' dashed' : ''}"/>`,
  )
  // Labels at the ends of the lines, one below the other.
  let below = 0
  const labels = curves
    .toSorted((a, b) => a.points.at(-1)[1] - b.points.at(-1)[1])
    .map(({ points, label }) => {
      below = Math.max(points.at(-1)[1] + 4, below + 14)
      return text(width - right + 8, below, label, 'class="small"')
    })
  return svg(bottom + 30, 'Latency of production and of plain Fastify over the share of their peak rates', [
    text(
      0,
      18,
      'Latency over the share of the peak rate; production has one write in ten requests',
      'class="strong"',
    ),
    ...grid,
    ...shares,
    ...lines,
    ...labels,
  ])
}

/** The pictures that can be drawn from the results of a run, by name. */
export const pictures = (results) =>
  Object.fromEntries(
    Object.entries({ 'requests.svg': requests(results), 'latency.svg': latency(results) }).filter(
      ([, picture]) => picture,
    ),
  )
