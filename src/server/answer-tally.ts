import type { Answered } from './answer.js'

/** What is counted of the answers to one operation. */
type Tally = { byStatus: Map<number, number>; byBucket: number[]; seconds: number }

/**
 * Counts answers and how long they took, as a counter and a histogram of Prometheus. prom-client's own look up each
 * observation by its labels, as a text that is made for it: more than all else that is done to answer from memory.
 * @param bounds the upper bounds of the histogram's buckets, in seconds
 */
export function createAnswerTally(bounds: readonly number[]) {
  const tallies = new Map<string, Tally>()

  const start = (operation: string): Tally => {
    const tally = { byStatus: new Map(), byBucket: bounds.map(() => 0), seconds: 0 }
    tallies.set(operation, tally)
    return tally
  }

  return {
    add({ operation = '', status, ms }: Answered): void {
      const tally = tallies.get(operation) ?? start(operation)
      const seconds = ms / 1000
      tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1)
      tally.seconds += seconds
      const bucket = bounds.findIndex((bound) => seconds <= bound)
      if (bucket !== -1) tally.byBucket[bucket] = (tally.byBucket[bucket] ?? 0) + 1
    },

    /** In Prometheus' text format. */
    text(): string {
      const answers: string[] = []
      const times: string[] = []
      for (const [operation, { byStatus, byBucket, seconds }] of tallies) {
        const of = `operation="${operation}"`
        let count = 0
        for (const [status, times] of byStatus) {
          count += times
          answers.push(`${requests}{${of},status="${status}"} ${times}`)
        }
        let below = 0
        for (const [i, bound] of bounds.entries()) {
          below += byBucket[i] ?? 0
          times.push(`${duration}_bucket{le="${bound}",${of}} ${below}`)
        }
        times.push(`${duration}_bucket{le="+Inf",${of}} ${count}`)
        times.push(`${duration}_sum{${of}} ${seconds}`, `${duration}_count{${of}} ${count}`)
      }
      return [
        `# HELP ${requests} Answers, by operation and status; without operation where there is no such path, or before its operation was refused.`,
        `# TYPE ${requests} counter`,
        ...answers,
        `# HELP ${duration} Time from the head of a request to its answer, by operation.`,
        `# TYPE ${duration} histogram`,
        ...times,
        '',
      ].join('\n')
    },
  }
}

const requests = 'dashboard_api_requests_total'
const duration = 'dashboard_api_request_duration_seconds'
