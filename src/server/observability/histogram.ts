/**
 * How long something took, as a histogram of Prometheus with one label. prom-client's own looks up each observation
 * by its labels, as a text that is made for it: more than all else that is done to answer from memory.
 * @param bounds the upper bounds of the histogram's buckets, in seconds
 */
export function createHistogram(name: string, help: string, label: string, bounds: readonly number[]) {
  const observed = new Map<string, { byBucket: number[]; count: number; seconds: number }>()

  const start = (value: string) => {
    const begun = { byBucket: bounds.map(() => 0), count: 0, seconds: 0 }
    observed.set(value, begun)
    return begun
  }

  return {
    observe(value: string, ms: number): void {
      const one = observed.get(value) ?? start(value)
      const seconds = ms / 1000
      one.count += 1
      one.seconds += seconds
      const bucket = bounds.findIndex((bound) => seconds <= bound)
      if (bucket !== -1) one.byBucket[bucket] = (one.byBucket[bucket] ?? 0) + 1
    },

    /** In Prometheus' text format. */
    text(): string {
      const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`]
      for (const [value, { byBucket, count, seconds }] of observed) {
        const of = `${label}="${value}"`
        let below = 0
        for (const [i, bound] of bounds.entries()) {
          below += byBucket[i] ?? 0
          lines.push(`${name}_bucket{le="${bound}",${of}} ${below}`)
        }
        lines.push(`${name}_bucket{le="+Inf",${of}} ${count}`)
        lines.push(`${name}_sum{${of}} ${seconds}`, `${name}_count{${of}} ${count}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}
