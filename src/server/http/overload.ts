import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { operationalReply } from '../../handlers/reply.js'
import { sendReply } from '../../http/send-reply.js'

/** The limits of memory, nine tenths of what this process may use, and of the delay of the event loop, in milliseconds. */
const defaultLimits = () => ({
  maxHeapUsedBytes: getHeapStatistics().heap_size_limit * 0.9,
  // Without a constraint the number is zero, or larger than any memory.
  maxRssBytes: (process.constrainedMemory() || Infinity) * 0.9,
  maxEventLoopDelay: 3_000,
  sampleInterval: 1_000,
})

/** Limits that differ from the defaults. */
export type OverloadLimits = Partial<ReturnType<typeof defaultLimits>>

/** The memory of the process in bytes, read from a file; zero if no further file can be opened. */
function residentBytes(): number {
  try {
    return process.memoryUsage.rss()
  } catch {
    return 0
  }
}

/**
 * Replies 503 while the service is overloaded, except to health checks and metrics. Not @fastify/under-pressure: its timer
 * reads the memory of the process unguarded, and without a free file descriptor (EMFILE) that error ends the process.
 */
export function shedLoad(app: FastifyInstance, limits: OverloadLimits): void {
  const { maxHeapUsedBytes, maxRssBytes, maxEventLoopDelay, sampleInterval } = {
    ...defaultLimits(),
    ...limits,
  }
  const resolution = 10
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  let isOverloaded = false
  let isLate = false
  const timer = setInterval(() => {
    // Without a sample since the last time, the mean is not a number, and nothing new is known.
    if (!Number.isNaN(delay.mean)) isLate = delay.mean / 1e6 - resolution > maxEventLoopDelay
    isOverloaded =
      isLate || getHeapStatistics().used_heap_size > maxHeapUsedBytes || residentBytes() > maxRssBytes
    delay.reset()
  }, sampleInterval)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delay.disable()
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!isOverloaded || !/^\/(v1|auth)\//.test(request.routeOptions.url ?? '')) return done()
    sendReply(reply, operationalReply('SERVICE_UNAVAILABLE', { 'retry-after': '5' }))
  })
}
