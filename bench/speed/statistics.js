// Statistics of values that were measured in rounds.

export const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

/** `combine` applied to the medians of two lists, with the lowest and highest result of any round. */
const combined = (combine) => (ours, theirs) => {
  const rounds = ours.map((number, round) => combine(number, theirs[round]))
  return {
    value: combine(median(ours), median(theirs)),
    from: Math.min(...rounds),
    to: Math.max(...rounds),
  }
}

export const ratio = combined((ours, theirs) => ours / theirs)
export const difference = combined((ours, theirs) => ours - theirs)
