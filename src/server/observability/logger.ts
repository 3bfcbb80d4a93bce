import type { FastifyRequest } from 'fastify'
import { type Logger, pino } from 'pino'

export type Log = Logger

export type LogOptions = { level: string; stream?: { write(line: string): void } }

/**
 * The log of one server: one JSON line an event. It is not Fastify's: that one would make a logger and follow the
 * response for each request, whether or not a line is written.
 * @param options where it goes (standard output, if left out), and from which level on; none, if left out
 */
export const createLog = (options?: LogOptions): Log =>
  options
    ? pino({ level: options.level, base: undefined }, options.stream ?? pino.destination(1))
    : pino({ enabled: false })

/** The log of the server, each line with the id of the request. */
export const logOf = ({ server, id }: FastifyRequest): Log => server.ownLog.child({ requestId: id })

declare module 'fastify' {
  interface FastifyInstance {
    ownLog: Log
  }
}
