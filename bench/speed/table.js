// What was measured, as a table of Markdown.
export const whole = (number) => (Number.isFinite(number) ? Math.round(number).toLocaleString('en') : '')
export const short = (number, digits = 2) => {
  if (!Number.isFinite(number)) return ''
  return Math.abs(number) >= 100 ? whole(number) : String(Number(number.toPrecision(digits)))
}

/** A value with the lowest and the highest of the rounds, where there are several. */
export const withSpread = ({ value, from = value, to = value } = {}, unit = '') => {
  if (!Number.isFinite(value)) return ''
  return `${short(value, 3)}${unit}${from === to ? '' : ` (${short(from)} to ${short(to)})`}`
}

const columns = {
  '': ({ name }) => name,
  requests: ({ requests }) => whole(requests),
  'commits meanwhile': ({ commits }) => whole(commits),
  stale: ({ stale }) => whole(stale),
  'answers/s': ({ perSecond }) => whole(perSecond),
  'start ms': ({ startedMs }) => whole(startedMs),
  ms: ({ commandMs }) => whole(commandMs),
  ratio: ({ ratio }) => withSpread(ratio),
  'more than the empty file, ms': ({ over }) => withSpread(over),
  'processor ms': ({ startedCpuMs, commandCpuMs }) => whole(startedCpuMs ?? commandCpuMs),
  'Fastify, a string that is ready, µs': ({ profileUs }) => short(profileUs?.fastify),
  'production, µs': ({ profileUs }) => short(profileUs?.production),
  'processor µs': ({ cpuUs }) => whole(cpuUs),
  'of its core, %': ({ busy }) => whole(busy),
  'of the load, µs': ({ loadUs }) => whole(loadUs),
  'for a project, µs': ({ projectUs }) => short(projectUs),
  'p50 ms': ({ p50 }) => short(p50),
  'p99 ms': ({ p99 }) => short(p99),
  'p99 of p50': ({ tail }) => withSpread(tail),
  'memory at the start, MB': ({ startMb }) => whole(startMb),
  'memory MB': ({ rssMb }) => whole(rssMb),
  wrong: ({ wrong }) => (wrong > 0 ? whole(wrong) : ''),
}

/** Markdown of columns, each a list of texts with its title first. */
export function markdown(columns) {
  const lines = columns[0].map((_, i) => `| ${columns.map((column) => column[i]).join(' | ')} |`)
  lines.splice(1, 0, `|${columns.map(([title]) => (title === '' ? '---|' : '--:|')).join('')}`)
  return `${lines.join('\n')}\n`
}

/** A table of what rows have; columns that none of them has are left out. */
export function table(rows) {
  return markdown(
    Object.entries(columns)
      .map(([title, text]) => [title, ...rows.map(text)])
      .filter(([, ...texts]) => texts.some((text) => text !== '')),
  )
}
