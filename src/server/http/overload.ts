import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { type DocsUrl, operationalReply } from '../../handlers/reply.js'
import { logOf } from '../observability/logger.js'
import { jsonAnswer, send } from './http-response.js'

/** From when on the service is overloaded; what is left out is not looked at. */
export type OverloadLimits = {
  maxHeapUsedBytes?: number
  maxRssBytes?: number
  /** How late the process is with its work, in milliseconds. */
  maxEventLoopDelay?: number
  /** How often that is measured, in milliseconds. */
  sampleInterval?: number
}

/** Nine tenths of the memory that this process may have, and work that is seconds late. */
export function usualLimits(): OverloadLimits {
  const allowed = process.constrainedMemory()
  // Where nothing constrains the process, the number is none, or larger than any memory.
  const isConstrained = allowed > 0 && allowed < 2 ** 48
  return {
    maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * 0.9),
    ...(isConstrained && { maxRssBytes: Math.floor(allowed * 0.9) }),
    maxEventLoopDelay: 3_000,
  }
}

/**
 * Answers 503 while the service is overloaded, before memory goes. What tells how it fares is answered all the
 * same, for that is when somebody wants to know.
 * @param limits never, if left out
 */
export function shedLoad(app: FastifyInstance, limits: OverloadLimits | undefined, docsUrl: DocsUrl): void {
  // Apart from the routes: its own hook would look up the options of the route for each request.
  let apart: FastifyInstance | undefined
  app.decorate('isOverloaded', () => apart?.isUnderPressure() ?? false)
  if (!limits) return
  void app.register((instance, _, done) => {
    apart = instance
    void instance.register(underPressure, limits)
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!app.isOverloaded() || !/^\/(v1|auth)\//.test(request.routeOptions.url ?? '')) return done()
    logOf(request).debug(apart?.memoryUsage(), 'overloaded')
    const answer = operationalReply('SERVICE_UNAVAILABLE', docsUrl, { 'retry-after': '5' })
    send(request, reply, jsonAnswer(answer))
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    isOverloaded(): boolean
  }
}
