import { getHeapStatistics } from 'node:v8'
import underPressure, { type FastifyUnderPressureOptions } from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { operationalReply } from '../../handlers/reply.js'
import { sendReply } from './send-reply.js'

/** The limits beyond which the service is overloaded; a limit that is left out is not checked. */
export type OverloadLimits = Pick<
  FastifyUnderPressureOptions,
  'maxHeapUsedBytes' | 'maxRssBytes' | 'maxEventLoopDelay' | 'sampleInterval'
>

/** Nine tenths of the memory that this process may use, and an event-loop delay of seconds. */
export function defaultOverloadLimits(): OverloadLimits {
  const allowed = process.constrainedMemory()
  // Without a constraint the number is zero, or larger than any memory.
  const isConstrained = allowed > 0 && allowed < 2 ** 48
  return {
    maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * 0.9),
    ...(isConstrained && { maxRssBytes: Math.floor(allowed * 0.9) }),
    maxEventLoopDelay: 3_000,
  }
}

/** Replies 503 while the service is overloaded. Health checks and metrics are answered nevertheless. */
export function shedLoad(app: FastifyInstance, limits: OverloadLimits): void {
  void app.register(underPressure, {
    ...limits,
    pressureHandler(request, reply, type, value) {
      if (!/^\/(v1|auth)\//.test(request.routeOptions.url ?? '')) return
      request.log.debug({ type, value }, 'overloaded')
      sendReply(reply, operationalReply('SERVICE_UNAVAILABLE', { 'retry-after': '5' }))
    },
  })
}
