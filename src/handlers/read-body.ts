import type * as z from 'zod'
import { messages } from '../contract/messages.js'
import { type BodyFaults, maxBodyBytes } from '../contract/operations.js'
import { detailsOf, type Failure, fail } from './handler.js'

/** The unread body of a request. The pipeline reads it after the checks of the caller. */
export type IncomingBody = {
  contentType: string | undefined
  /** Reads the body; undefined if it has more than `limit` bytes. */
  bytes(limit: number): Promise<Uint8Array | undefined>
}

// Shared: creating a decoder takes longer than decoding a body.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type BodyRule = { schema: z.ZodType; faults: BodyFaults }

/** Reads, decodes and validates a body. Returns the parsed value, or VALIDATION_FAILED with the operation's status. */
export async function readBody(
  { contentType, bytes }: IncomingBody,
  { schema, faults }: BodyRule,
): Promise<{ value: unknown } | Failure<'VALIDATION_FAILED'>> {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType && mediaType !== 'application/json') return refuseMediaType(faults)

  const raw = await bytes(maxBodyBytes)
  if (!raw) return invalid(faults.tooLarge, messages.tooLarge)
  if (raw.length === 0) return invalid(faults.unreadable, messages.empty)
  if (!mediaType) return refuseMediaType(faults)

  let value: unknown
  try {
    value = JSON.parse(utf8.decode(raw))
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
