import { exampleOf } from '../../controls/control-commands.js'
import { call, type Find, maxTargets, refuse, refuseMore, targetsFor } from './suggestion.js'

export const delay: Find = ({ delay, undelayed }, context) => {
  if (!delay) return []
  if (!delay.isValid) return refuse(`"${delay.ms}" is not a delay.`, exampleOf('delay'))
  const { ms } = delay
  const all = undelayed.length === 0 ? [call('Delay', 'setDelay', { ms })] : []
  const own = targetsFor(undelayed, context)
    .slice(0, maxTargets)
    .map(({ target }) => call('Delay', 'setDelay', { ms, target }))
  return [...all, ...own]
}

export const chaos: Find = ({ words: [first = '', ...others] }, context) => {
  const at = [first, ...others].indexOf('--error-rate')
  const [rate = '', ...words] =
    at < 0
      ? [first, ...others]
      : [
          String(Math.round(Number([first, ...others][at + 1]) * 100)),
          ...[first, ...others].filter((_, i) => i !== at && i !== at + 1),
        ]
  const named = words.filter((word) => !/^(of|on|%)$/.test(word))
  const operations =
    named.length === 0
      ? [{}]
      : targetsFor(named, context)
          .slice(0, maxTargets)
          .map(({ target }) => ({ target }))
  if (/^(off|none|clear|0)$/i.test(rate))
    return operations.map((operation) => call('Chaos', 'clearChaos', operation))
  const percent = Number(/^(\d{1,3})%?$/.exec(rate)?.[1] ?? Number.NaN)
  if (!(percent > 0 && percent <= 100)) return []
  return operations.map((operation) => call('Chaos', 'setChaos', { errorRate: percent / 100, ...operation }))
}

export const clock: Find = ({ words: [at = '', ...others] }) => {
  const ticking = /^(--)?ticking$/i.test(others[0] ?? '')
  const more = others.slice(ticking ? 1 : 0)
  if (more.length > 0) return refuseMore(more, exampleOf('clock'))
  if (/^(real|clear|off)$/i.test(at)) return [call('Clock', 'setClock')]
  if (Number.isNaN(Date.parse(at)) || !at.includes('-')) return []
  const time = at.includes('T') ? at.toUpperCase() : `${at}T00:00:00Z`
  return [call('Clock', 'setClock', { at: time, ...(ticking && { ticking }) })]
}
