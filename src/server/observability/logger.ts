import { type Logger, pino } from 'pino'

export type LogOptions = { level: string; stream?: { write(line: string): void } }

/** The log of one server: one JSON line an event, from a level on, to a stream or standard output. */
export const createLogger = ({ level, stream = pino.destination(1) }: LogOptions): Logger =>
  pino({ level, base: undefined }, stream)
