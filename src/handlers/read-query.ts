import type * as z from 'zod'
import { messages } from '../contract/messages.js'
import { detailsOf, type Failure, fail } from './handler.js'

/** Validates the query parameters of an operation. Returns the parsed values, or VALIDATION_FAILED. */
export function readQuery(
  query: string,
  schema: z.ZodType,
): { value: unknown } | Failure<'VALIDATION_FAILED'> {
  const sent = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query)) {
    const values = sent.get(name)
    if (values) values.push(value)
    else sent.set(name, [value])
  }
  const values = [...sent].map(([name, all]) => [name, all.length > 1 ? all : all[0]])
  const { data, error } = schema.safeParse(Object.fromEntries(values))
  return error
    ? fail('VALIDATION_FAILED', { message: messages.query, details: detailsOf(error) })
    : { value: data }
}
