// Judges the counts of a drill: its figure, and its failures.

/** Limits of times are multiplied by this where other drills use the machine. */
const busyFactor = 5

/** The names of the times in the report. */
const times = {
  successMs: 'success again',
  medianMs: 'half of them',
  allServedMs: 'every client served',
  longestMs: 'longest request',
  readMs: 'longest read',
  recoveredMs: 'writes again',
  readyMs: 'half of the starts ready',
  startCpuMs: 'most processor time of a start',
}

const sizeOf = (count) => (Array.isArray(count) ? count.length : count)
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`
const inWords = (labels, counts, isIncluded = () => true) =>
  Object.entries(labels)
    .filter(([name]) => isIncluded(sizeOf(counts[name])))
    .map(([name, label]) => `${sizeOf(counts[name])?.toLocaleString('en')} ${label}`)

/** The figure as a sentence, such as `0 lost in 10 writes; 2 kills, longest request: 0.20 s`. */
export function figureOf({ mustBeZero = {}, mustNotBeZero = {}, limits = {} }, counts) {
  if (counts.figure !== undefined) return counts.figure
  const [tried, ...others] = inWords(mustNotBeZero, counts)
  const took = Object.keys(limits).map((name) => `${times[name]}: ${seconds(counts[name])}`)
  const more = [...others, ...took].join(', ')
  return `${inWords(mustBeZero, counts).join(', ')} in ${tried}${more && `; ${more}`}`
}

/**
 * @param isBusy whether other drills use the machine
 * @returns the failures, in words
 */
export const judge = ({ mustBeZero = {}, mustNotBeZero = {}, limits = {} }, counts, isBusy = false) => [
  ...new Set(counts.faults),
  ...inWords(mustBeZero, counts, (count) => count !== 0),
  ...inWords(mustNotBeZero, counts, (count) => !(count > 0)),
  ...Object.entries(limits)
    .filter(([name, limit]) => !(counts[name] <= limit * (isBusy ? busyFactor : 1)))
    .map(([name, limit]) => `${times[name]}: ${seconds(counts[name])}, expected at most ${seconds(limit)}`),
]

/** Whether the counts show the defect of a control. */
export const isCaught = ({ caught }, counts) => caught.every((name) => sizeOf(counts[name]) > 0)
