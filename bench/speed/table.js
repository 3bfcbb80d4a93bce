// What was measured, as a table of Markdown.
const whole = (number) => (Number.isFinite(number) ? Math.round(number).toLocaleString('en') : '')
const short = (number) => (Number.isFinite(number) ? String(Number(number.toPrecision(2))) : '')

const columns = {
  '': ({ name }) => name,
  'answers/s': ({ perSecond }) => whole(perSecond),
  ratio: ({ ratio, from, to }) => `${short(ratio)} (${short(from)} to ${short(to)})`,
  'processor µs': ({ cpuUs }) => whole(cpuUs),
  'p50 ms': ({ p50 }) => short(p50),
  'p99 ms': ({ p99 }) => short(p99),
  'start ms': ({ startedMs }) => whole(startedMs),
  'memory MB': ({ rssMb }) => whole(rssMb),
  wrong: ({ wrong }) => String(wrong),
}

/** Rows of `compare`; what no row has is left out. */
export function table(rows) {
  const shown = Object.entries(columns)
    .map(([title, text]) => [title, ...rows.map(text)])
    .filter(([title, ...texts]) => texts.some((text) => text !== '' && (title !== 'wrong' || text !== '0')))
  const lines = ['', ...rows].map((_, i) => `| ${shown.map((column) => column[i]).join(' | ')} |`)
  lines.splice(1, 0, `|${shown.map((_, i) => (i === 0 ? '---|' : '--:|')).join('')}`)
  return `${lines.join('\n')}\n`
}
