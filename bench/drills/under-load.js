// The drills of PostgreSQL and of nodes, which are made under the load of `load.js`, as drills of `drills.js`.
import { judge } from './judge.js'

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`

/**
 * A drill that resolves with the figures of its load (`figuresOf` in `setting.js`), judged by `judge.js`.
 * @param drill.limits what its figures may be at most, beside those of every such drill
 * @param drill.isExpected(outcome) which outcomes beside success and 503 its fault explains; none, if left out
 */
export function underLoad({ limits, isExpected, run, ...drill }) {
  return {
    promise: 'Over PostgreSQL, what was acknowledged is kept and seen, and the service recovers by itself.',
    target: [
      '0 lost, 0 doubled, 0 stale',
      ...(limits.successMs ? [`success again within ${seconds(limits.successMs)}`] : []),
    ].join('; '),
    needsPostgres: true,
    ...drill,
    async run(options) {
      const load = await run(options)
      const { acknowledged, lost, doubled, stale, successMs } = load
      const counts = `${acknowledged.toLocaleString('en')} writes: ${lost} lost, ${doubled} doubled; ${stale} stale reads`
      return {
        figure: successMs === undefined ? counts : `${counts}; success again within ${seconds(successMs)}`,
        faults: judge({ limits, isExpected, isBusy: options.isQuick }, load),
        load,
      }
    },
  }
}
