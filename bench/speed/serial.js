// How answers tell which change they know: its number is in the name of the oldest project, so at their end.
const mark = '"Serial '
const digits = 9

export const nameOf = (serial) => `Serial ${String(serial).padStart(digits, '0')}`

/** The number of the last change that an answer knows; NaN where it has none. */
export function serialIn(bytes) {
  const at = bytes.lastIndexOf(mark)
  return at === -1 ? Number.NaN : Number(bytes.latin1Slice(at + mark.length, at + mark.length + digits))
}
