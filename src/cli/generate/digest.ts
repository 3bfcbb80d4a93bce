import { createHash } from 'node:crypto'

/** Everything generated lies in the year from here on: the same seed gives the same times whenever it is run. */
export const baseTime = Date.UTC(2025, 0, 1)
const span = 365 * 86_400_000

/**
 * 32 bytes that a seed gives for one record. Ids and fields are read from them and from nothing else, so that
 * each record can be made again alone.
 */
export const digestOf = (seed: number, ...place: (string | number)[]): Buffer =>
  createHash('sha256')
    .update([seed, ...place].join('/'))
    .digest()

/** A time of the year, in milliseconds since 1970. */
export const timeOf = (digest: Buffer): number =>
  baseTime + Math.floor((digest.readUInt32BE(28) / 2 ** 32) * span)

/** An id in the form of a UUID version 7: the time, then what the digest gives. */
export function idOf(digest: Buffer, time: number): string {
  const hex = time.toString(16).padStart(12, '0') + digest.toString('hex', 0, 10)
  const variant = '89ab'[(digest[10] as number) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(12, 15)}-${variant}${hex.slice(15, 18)}-${hex.slice(18, 30)}`
}

/** One of these, as two bytes of the digest say. */
export const pick = <Item>(items: readonly Item[], digest: Buffer, at: number): Item =>
  items[digest.readUInt16BE(at) % items.length] as Item
