// The number of a commit, as responses show it: it is the name of the oldest project, which is the last in a list.
const prefix = '"Commit '
const digits = 9

export const nameFor = (number) => `Commit ${String(number).padStart(digits, '0')}`

/** The number of the latest commit that a response shows; NaN if it shows none. */
export function commitNumberIn(bytes) {
  const at = bytes.lastIndexOf(prefix)
  return at === -1 ? Number.NaN : Number(bytes.latin1Slice(at + prefix.length, at + prefix.length + digits))
}
