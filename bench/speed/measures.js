// How targets are read from what was measured: by the clock, and by processor time where that says something.
import { ratio } from './statistics.js'
import { whole } from './table.js'

const rowsOf = (results, section, table, names) => {
  const rows = results[section]?.find(({ id }) => id === table)?.rows
  const found = names.map((name) => rows?.find((row) => row.name === name))
  return found.includes(undefined) ? undefined : found
}

/** A row of a table that was measured. */
export const rowOf = (results, section, table, name) => rowsOf(results, section, table, [name])?.[0]

const all = (row, key) => row.runs.map((run) => run[key])

/** How many times as many answers one gives as another. */
export const speed = (section, table, ours, theirs) => (results) => {
  const [a, b] = rowsOf(results, section, table, [ours, theirs]) ?? []
  return (
    a && {
      clock: ratio(all(a, 'perSecond'), all(b, 'perSecond')),
      processor: ratio(all(b, 'cpuUs'), all(a, 'cpuUs')),
    }
  )
}

/** The same where it is the disk that is waited for. */
export const speedByClock = (...where) => {
  const measure = speed(...where)
  return (results) => {
    const found = measure(results)
    return found && { clock: found.clock }
  }
}

/** How many times as long one takes to start as another. */
export const startTime = (ours, theirs) => (results) => {
  const [a, b] = rowsOf(results, 'start', 'start', [ours, theirs]) ?? []
  return (
    a && {
      clock: ratio(all(a, 'startedMs'), all(b, 'startedMs')),
      processor: ratio(all(a, 'startedCpuMs'), all(b, 'startedCpuMs')),
    }
  )
}

export const startOfCommand = (name) => (results) => {
  const [row] = rowsOf(results, 'commands', 'commands', [name]) ?? []
  return row && { clock: row.over, processor: { value: row.overCpu } }
}

export const tail = (name) => (results) => {
  const [row] = rowsOf(results, 'latency', 'latency', [name]) ?? []
  return row && { clock: row.tail }
}

export const memoryOf = (ours, theirs) => (results) => {
  const [a, b] = rowsOf(results, 'memory', 'memory', [ours, theirs]) ?? []
  return a && { clock: ratio(all(a, 'rssMb'), all(b, 'rssMb')), note: `after ${whole(a.requests)}` }
}

export const staleOf = (name) => (results) => {
  const [row] = rowsOf(results, 'stale', 'stale', [name]) ?? []
  return row && { clock: { value: row.stale }, note: `of ${whole(row.requests)}` }
}
