// What the counts of a drill say: its figure, and what did not hold.

/** Times may be so many times as long where other drills use the machine. */
const busyFactor = 5

/** The times that are judged, in words. */
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
const inWords = (words, counts, isIn = () => true) =>
  Object.entries(words)
    .filter(([name]) => isIn(sizeOf(counts[name])))
    .map(([name, what]) => `${sizeOf(counts[name])?.toLocaleString('en')} ${what}`)

/** The figure, in a sentence: what must be 0, of what; and then what else was tried, and how long it took. */
export function figureOf({ none = {}, some = {}, limits = {} }, counts) {
  if (counts.figure !== undefined) return counts.figure
  const [of, ...others] = inWords(some, counts)
  const took = Object.keys(limits).map((name) => `${times[name]}: ${seconds(counts[name])}`)
  const more = [...others, ...took].join(', ')
  return `${inWords(none, counts).join(', ')} in ${of}${more && `; ${more}`}`
}

/**
 * @param isBusy whether other drills use the machine
 * @returns what did not hold, in words; empty if everything did
 */
export const judge = ({ none = {}, some = {}, limits = {} }, counts, isBusy = false) => [
  ...new Set(counts.faults),
  ...inWords(none, counts, (count) => count !== 0),
  ...inWords(some, counts, (count) => !(count > 0)),
  ...Object.entries(limits)
    .filter(([name, limit]) => !(counts[name] <= limit * (isBusy ? busyFactor : 1)))
    .map(([name, limit]) => `${times[name]}: ${seconds(counts[name])}, expected at most ${seconds(limit)}`),
]

/** Whether the counts show the defect of a control. */
export const isCaught = ({ caught }, counts) => caught.every((name) => sizeOf(counts[name]) > 0)
