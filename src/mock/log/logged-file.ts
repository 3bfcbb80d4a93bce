import type { MockPart } from '../../store/mock-part.js'
import type { StoredEntry } from './log-entry.js'

type FileEntry = NonNullable<MockPart['log']>[number]

/** A request of the log as a state file has it: its bytes are text, or base64. */
export function entryToFile({
  id: _,
  before: __,
  after: ___,
  loaded: ____,
  ...entry
}: StoredEntry): FileEntry {
  const { request, response } = entry.exchange
  const { length = 0, bytes } = request.body ?? {}
  const body = request.body && { length, ...(bytes && textOf(bytes)) }
  // As JSON: without absent fields.
  return JSON.parse(JSON.stringify({ ...entry, exchange: { request: { ...request, body }, response } }))
}

/** The same in the log of another mock. What it changed is not known there. */
export function entryFromFile(entry: FileEntry): Omit<StoredEntry, 'id'> {
  const { request, response } = entry.exchange
  const { length = 0, text, base64 } = request.body ?? {}
  const bytes =
    base64 === undefined
      ? text === undefined
        ? undefined
        : new TextEncoder().encode(text)
      : Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  const body = request.body && { length, ...(bytes && { bytes }) }
  const exchange = { request: { ...request, ...(body && { body }) }, ...(response && { response }) }
  // Positions before all moments that are stored.
  return { ...entry, exchange, before: -2, after: -1 } as Omit<StoredEntry, 'id'>
}

function textOf(bytes: Uint8Array): { text: string } | { base64: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) }
  }
}
