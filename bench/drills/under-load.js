// The drills of PostgreSQL and of nodes, which are made under the load of `load.js`, as drills of `drills.js`.
import { judge } from './judge.js'
import { figuresOf, makeFaults, withSetting } from './setting.js'

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

/**
 * A drill that makes one fault several times.
 * @param drill.settings of PostgreSQL
 * @param drill.setUp is given what `withSetting` gives, and the variant; resolves with the fault (see `makeFaults`), and with
 *   `node`, the options of two nodes, or other `nodes`; `newClient`, see `startLoad`; and `server`, which gives the server that
 *   holds the writes in the end
 * @param drill.control(make) resolves with what a control does; `make` makes so many rounds of a variant
 */
export function faultDrill({ setUp, settings, control, ...drill }) {
  const make = (rounds, variant = {}) =>
    withSetting(
      async (setting) => {
        const { postgres, startNode, startLoad } = setting
        const made = await setUp(setting, variant)
        const { node, newClient, server = () => postgres, ...fault } = made
        const nodes = made.nodes ?? [await startNode(node), await startNode(node)]
        const load = startLoad(nodes, newClient)
        const result = await makeFaults(load, rounds, fault)
        return { faults: result.faults, ...(await figuresOf(load, server(), result)) }
      },
      { settings: { ...settings, ...variant.settings } },
    )
  return underLoad({
    ...drill,
    run: ({ rounds }) => make(rounds),
    ...(control && { control: () => control(make) }),
  })
}
