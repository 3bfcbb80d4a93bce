import type * as z from 'zod'
import { messages } from '../contract/messages.js'
import type { BodyFaults } from '../contract/operations.js'
import { detailsOf, type Failure, fail } from './handler.js'

/** The body of a request, as bytes. */
export type IncomingBody = {
  contentType: string | undefined
  /** Absent if there is none; null if it is larger than the interface allows. */
  body: Uint8Array | null | undefined
}

// Shared: creating a decoder takes longer than decoding a body.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type BodyRule = { schema: z.ZodType; faults: BodyFaults }

/** Decodes and validates a body. Returns the parsed value, or VALIDATION_FAILED with the operation's status. */
export function readBody(
  { contentType, body }: IncomingBody,
  { schema, faults }: BodyRule,
): { value: unknown } | Failure<'VALIDATION_FAILED'> {
  const isJson = contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
  if (contentType !== undefined && !isJson) return refuseMediaType(faults)
  if (body === null) return invalid(faults.tooLarge, messages.tooLarge)
  if (!body?.length) return invalid(faults.unreadable, messages.empty)
  if (!isJson) return refuseMediaType(faults)

  let value: unknown
  try {
    value = JSON.parse(utf8.decode(body))
  } catch {
    return invalid(faults.unreadable, messages.notJson)
  }

  const parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return fail('VALIDATION_FAILED', {
    status: isObject ? faults.invalid : faults.notAnObject,
    details: detailsOf(parsed.error),
  })
}

const refuseMediaType = (faults: BodyFaults) => invalid(faults.mediaType, messages.mediaType)

const invalid = (status: number, message: string) =>
  fail('VALIDATION_FAILED', { status, message, details: null })
