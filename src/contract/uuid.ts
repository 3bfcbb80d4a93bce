/**
 * A UUID of version 7 (RFC 9562, section 5.7).
 * @param at milliseconds since 1970
 * @param count orders ids of the same time; beyond 4,095 it borrows from the next milliseconds
 * @param tail the last two groups: the variant and random bits
 */
export function uuidV7(at: number, count: number, tail: string): string {
  const time = (at + Math.floor(count / 4096)).toString(16).padStart(12, '0')
  const order = (count % 4096).toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${tail}`
}

/** The last two groups of a UUID, of eight random bytes. */
export const uuidTail = ([first = 0, ...rest]: Uint8Array): string => {
  const hex = [(first & 0x3f) | 0x80, ...rest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 4)}-${hex.slice(4, 16)}`
}
