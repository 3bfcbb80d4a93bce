/** The value below which a part of the numbers are, rounded to a tenth; infinite where there are none. */
export function percentile(numbers, part) {
  const sorted = Float64Array.from(numbers).sort()
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
  return value === undefined ? Number.POSITIVE_INFINITY : Math.round(value * 10) / 10
}
