import { percentile } from './percentile.js'

/** The first part of a run is to warm up. */
const warmUp = 0.25

/**
 * The medians of a value in the first and in the last third of a run, after the warm-up.
 * @param samples each with `at` (ms), in order
 */
export function growth(samples, name) {
  const lasted = samples.at(-1)?.at ?? 0
  const warm = samples.filter(({ at }) => at >= lasted * warmUp).map((sample) => sample[name])
  const third = Math.ceil(warm.length / 3)
  return { first: percentile(warm.slice(0, third), 0.5), last: percentile(warm.slice(-third), 0.5) }
}
