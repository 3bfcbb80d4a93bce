// Reads the values of targets from results: by wall-clock time, and by CPU time where that is meaningful.
import { whole } from './markdown-table.js'
import { ratio } from './statistics.js'

/** The rows of a measured table. */
export const rowsOf = (results, section, table) => results[section]?.find(({ id }) => id === table)?.rows

/** A row of a measured table. */
export const findRow = (results, section, table, name) =>
  rowsOf(results, section, table)?.find((row) => row.name === name)

/** A value calculated from one row of a table; undefined if the row was not measured. */
const ofRow = (section, table, name, value) => (results) => {
  const row = findRow(results, section, table, name)
  return row && value(row)
}

/** A value calculated from the rows of two servers. The callback receives a function that returns the ratio of two figures. */
const ofTwo =
  (section, table, [ours, theirs], value) =>
  (results) => {
    const [a, b] = [ours, theirs].map((name) => findRow(results, section, table, name))
    const all = (row, key) => row.runs.map((run) => run[key])
    return a && b && value((key) => ratio(all(a, key), all(b, key)), a, b)
  }

/** The throughput of one server, as a multiple of another's. Per CPU time it is the inverse of the time of a request. */
export const throughput = (section, table, ours, theirs) => (results) => {
  const wallClock = ofTwo(section, table, [ours, theirs], (ratioOf) => ratioOf('perSecond'))(results)
  const cpu = ofTwo(section, table, [theirs, ours], (ratioOf) => ratioOf('cpuUs'))(results)
  return wallClock && { wallClock, cpu }
}

/** The throughput by wall-clock time alone, where the disk is the limit. */
export const throughputByWallClock = (section, table, ...names) =>
  ofTwo(section, table, names, (ratioOf) => ({ wallClock: ratioOf('perSecond') }))

/** The CPU time of the database for a request to one server, as a multiple of another's, if the system reports it. */
export const databaseTime = (section, table, ...names) =>
  ofTwo(section, table, names, (ratioOf, { databaseUs }) =>
    Number.isFinite(databaseUs) ? { cpu: ratioOf('databaseUs') } : undefined,
  )

/** The start time of one server, as a multiple of another's. */
export const startTime = (...names) =>
  ofTwo('start', 'start', names, (ratioOf) => ({
    wallClock: ratioOf('startedMs'),
    cpu: ratioOf('startedCpuMs'),
  }))

export const memoryRatio = (...names) =>
  ofTwo('memory', 'memory', names, (ratioOf, { requests }) => ({
    wallClock: ratioOf('rssMb'),
    note: `after ${whole(requests)}`,
  }))

/** The CPU time of one server for a read over sockets in memory, as a share of another's. */
export const costOfRead = (table, ours) => ofRow('cost', table, ours, ({ ratio }) => ({ cpu: ratio }))

export const commandStart = (name) =>
  ofRow('commands', 'commands', name, ({ overEmpty, overEmptyCpu }) => ({
    wallClock: overEmpty,
    cpu: { value: overEmptyCpu },
  }))

export const tailRatio = (name) => ofRow('latency', 'latency', name, ({ tail }) => ({ wallClock: tail }))

export const staleResponses = (name) =>
  ofRow('staleness', 'staleness', name, ({ stale, requests }) => ({
    wallClock: { value: stale },
    note: `of ${whole(requests)}`,
  }))
