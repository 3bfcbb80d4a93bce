/** The value below which a part (0 to 1) of the numbers lie, rounded to a tenth; infinite if there are none. */
export function percentile(numbers, part) {
  const sorted = Float64Array.from(numbers).sort()
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
  return value === undefined ? Number.POSITIVE_INFINITY : Math.round(value * 10) / 10
}
