import { createHash } from 'node:crypto'

/** Generated times lie in the year from here on, so that a seed generates the same times whenever it runs. */
const baseTime = Date.UTC(2025, 0, 1)
const span = 365 * 86_400_000

/** 32 bytes for one record of a seed. Its id and fields derive from them alone, so it can be generated alone. */
export const digestOf = (seed: number, ...key: (string | number)[]): Buffer =>
  createHash('sha256')
    .update([seed, ...key].join('/'))
    .digest()

/** A time of the year, in milliseconds since 1970. */
export const timeOf = (digest: Buffer): number =>
  baseTime + Math.floor((digest.readUInt32BE(28) / 2 ** 32) * span)

/** An id in the form of a UUID version 7: the time, then bytes of the digest. */
export function idOf(digest: Buffer, time: number): string {
  const hex = time.toString(16).padStart(12, '0') + digest.toString('hex', 0, 10)
  const variant = '89ab'[(digest[10] as number) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(12, 15)}-${variant}${hex.slice(15, 18)}-${hex.slice(18, 30)}`
}

/** Picks an item by the two bytes of the digest at an offset. */
export const pick = <Item>(items: readonly Item[], digest: Buffer, offset: number): Item =>
  items[digest.readUInt16BE(offset) % items.length] as Item
