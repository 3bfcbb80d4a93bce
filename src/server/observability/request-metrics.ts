import type { Answered } from '../http/http-response.js'
import { createHistogram } from './histogram.js'

/**
 * Counts answers and how long they took, as a counter and a histogram of Prometheus.
 * @param bounds the upper bounds of the histogram's buckets, in seconds
 */
export function createAnswerTally(bounds: readonly number[]) {
  const counts = new Map<string, Map<number, number>>()
  const times = createHistogram(
    'dashboard_api_request_duration_seconds',
    'Time from the head of a request to its answer, by operation.',
    'operation',
    bounds,
  )

  const begin = (operation: string) => {
    const byStatus = new Map<number, number>()
    counts.set(operation, byStatus)
    return byStatus
  }

  return {
    add({ operation = '', status, ms }: Answered): void {
      const byStatus = counts.get(operation) ?? begin(operation)
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
      times.observe(operation, ms)
    },

    /** In Prometheus' text format. */
    text(): string {
      const lines = [...counts].flatMap(([operation, byStatus]) =>
        [...byStatus].map(
          ([status, count]) => `${requests}{operation="${operation}",status="${status}"} ${count}`,
        ),
      )
      return [
        `# HELP ${requests} Answers, by operation and status; without operation where there is no such path, or before its operation was refused.`,
        `# TYPE ${requests} counter`,
        ...lines,
        times.text(),
      ].join('\n')
    },
  }
}

const requests = 'dashboard_api_requests_total'
