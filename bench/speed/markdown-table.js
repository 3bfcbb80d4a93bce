// Results as Markdown tables.
export const whole = (number) => (Number.isFinite(number) ? Math.round(number).toLocaleString('en') : '')
export const short = (number, digits = 2) => {
  if (!Number.isFinite(number)) return ''
  return Math.abs(number) >= 100 ? whole(number) : String(Number(number.toPrecision(digits)))
}

/** A value, with the lowest and the highest of the rounds if there are several. */
export const withSpread = ({ value, from = value, to = value } = {}, unit = '') => {
  if (!Number.isFinite(value)) return ''
  return `${short(value, 3)}${unit}${from === to ? '' : ` (${short(from)} to ${short(to)})`}`
}

const columns = {
  '': ({ name }) => name,
  requests: ({ requests }) => whole(requests),
  commits: ({ commits }) => whole(commits),
  stale: ({ stale }) => whole(stale),
  'requests/s': ({ perSecond }) => whole(perSecond),
  'start, ms': ({ startedMs }) => whole(startedMs),
  'time, ms': ({ commandMs }) => whole(commandMs),
  ratio: ({ ratio }) => withSpread(ratio),
  'over an empty file, ms': ({ overEmpty }) => withSpread(overEmpty),
  'CPU, ms': ({ startedCpuMs, commandCpuMs }) => whole(startedCpuMs ?? commandCpuMs),
  'Fastify, fixed string, µs': ({ profileUs }) => short(profileUs?.fastify),
  'production, µs': ({ profileUs }) => short(profileUs?.production),
  'CPU of a read, µs': ({ costUs }) => short(costUs, 3),
  'CPU, µs': ({ cpuUs }) => whole(cpuUs),
  'database CPU, µs': ({ databaseUs }) => short(databaseUs),
  'core use, %': ({ core }) => whole(core),
  'client CPU, µs': ({ loadCpuUs }) => whole(loadCpuUs),
  'CPU per project, µs': ({ projectUs }) => short(projectUs),
  'p50, ms': ({ p50 }) => short(p50),
  'p99, ms': ({ p99 }) => short(p99),
  'p99 / p50': ({ tail }) => withSpread(tail),
  'RSS at start, MB': ({ startMb }) => whole(startMb),
  'RSS, MB': ({ rssMb }) => whole(rssMb),
  'unexpected responses': ({ unexpected }) => (unexpected > 0 ? whole(unexpected) : ''),
}

/** Markdown of columns. Each column is a list of texts, the first of which is its title. */
export function markdown(columns) {
  const lines = columns[0].map((_, i) => `| ${columns.map((column) => column[i]).join(' | ')} |`)
  lines.splice(1, 0, `|${columns.map(([title]) => (title === '' ? '---|' : '--:|')).join('')}`)
  return `${lines.join('\n')}\n`
}

/** A table of rows, without the columns that are empty in all of them. */
export function table(rows) {
  return markdown(
    Object.entries(columns)
      .map(([title, text]) => [title, ...rows.map(text)])
      .filter(([, ...texts]) => texts.some((text) => text !== '')),
  )
}
