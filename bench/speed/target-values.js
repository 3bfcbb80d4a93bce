// Reads the values of targets from results: by wall-clock time, and by CPU time where that is meaningful.
import { whole } from './markdown-table.js'
import { ratio } from './statistics.js'

/** The rows of a measured table. */
export const rowsOf = (results, section, table) => results[section]?.find(({ id }) => id === table)?.rows

const findRows = (results, section, table, names) => {
  const rows = rowsOf(results, section, table)
  const found = names.map((name) => rows?.find((row) => row.name === name))
  return found.includes(undefined) ? undefined : found
}

/** A row of a measured table. */
export const findRow = (results, section, table, name) => findRows(results, section, table, [name])?.[0]

const all = (row, key) => row.runs.map((run) => run[key])

/** The throughput of one server, as a multiple of another's. */
export const throughput = (section, table, ours, theirs) => (results) => {
  const [a, b] = findRows(results, section, table, [ours, theirs]) ?? []
  return (
    a && {
      wallClock: ratio(all(a, 'perSecond'), all(b, 'perSecond')),
      cpu: ratio(all(b, 'cpuUs'), all(a, 'cpuUs')),
    }
  )
}

/** The same by wall-clock time alone, where the disk is the limit. */
export const throughputByWallClock = (...where) => {
  const measure = throughput(...where)
  return (results) => {
    const found = measure(results)
    return found && { wallClock: found.wallClock }
  }
}

/** The CPU time that the database takes for a request of one server, as a multiple of another's. */
export const databaseTime = (section, table, ours, theirs) => (results) => {
  const [a, b] = findRows(results, section, table, [ours, theirs]) ?? []
  // The system may not report it.
  return Number.isFinite(a?.databaseUs)
    ? { cpu: ratio(all(a, 'databaseUs'), all(b, 'databaseUs')) }
    : undefined
}

/** The start time of one server, as a multiple of another's. */
export const startTime = (ours, theirs) => (results) => {
  const [a, b] = findRows(results, 'start', 'start', [ours, theirs]) ?? []
  return (
    a && {
      wallClock: ratio(all(a, 'startedMs'), all(b, 'startedMs')),
      cpu: ratio(all(a, 'startedCpuMs'), all(b, 'startedCpuMs')),
    }
  )
}

/** The CPU time that one server takes for a read over sockets in memory, as the share of another's. */
export const costOfRead = (table, ours) => (results) => {
  const row = findRow(results, 'cost', table, ours)
  return row && { cpu: row.ratio }
}

export const commandStart = (name) => (results) => {
  const row = findRow(results, 'commands', 'commands', name)
  return row && { wallClock: row.overEmpty, cpu: { value: row.overEmptyCpu } }
}

export const tailRatio = (name) => (results) => {
  const row = findRow(results, 'latency', 'latency', name)
  return row && { wallClock: row.tail }
}

export const memoryRatio = (ours, theirs) => (results) => {
  const [a, b] = findRows(results, 'memory', 'memory', [ours, theirs]) ?? []
  return a && { wallClock: ratio(all(a, 'rssMb'), all(b, 'rssMb')), note: `after ${whole(a.requests)}` }
}

export const staleResponses = (name) => (results) => {
  const row = findRow(results, 'staleness', 'staleness', name)
  return row && { wallClock: { value: row.stale }, note: `of ${whole(row.requests)}` }
}
