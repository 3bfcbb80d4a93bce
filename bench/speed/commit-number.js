// The number of a commit in a response: it is the name of the oldest project, the last in the list.
const prefix = '"Commit '
const digits = 9

export const nameFor = (number) => `Commit ${String(number).padStart(digits, '0')}`

/** The number of the latest commit that a response shows; NaN if it shows none. */
export function commitNumberIn(bytes) {
  const at = bytes.lastIndexOf(prefix)
  return at === -1 ? Number.NaN : Number(bytes.latin1Slice(at + prefix.length, at + prefix.length + digits))
}
