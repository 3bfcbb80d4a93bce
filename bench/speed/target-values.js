// Reads the values of targets from results: by wall-clock time, and by CPU time where that is meaningful.
import { whole } from './markdown-table.js'
import { ratio } from './statistics.js'

/** The rows of a measured table. */
export const rowsOf = (results, section, table) => results[section]?.find(({ id }) => id === table)?.rows

/** A row of a measured table. */
export const findRow = (results, section, table, name) =>
  rowsOf(results, section, table)?.find((row) => row.name === name)

/** A value made of one row of a table, which is undefined where it was not measured. */
const ofRow = (section, table, name, value) => (results) => {
  const row = findRow(results, section, table, name)
  return row && value(row)
}

/** A value made of the rows of two servers. It is given what makes the ratio of two figures, each of one of them. */
const ofTwo =
  (section, table, [ours, theirs], value) =>
  (results) => {
    const [a, b] = [ours, theirs].map((name) => findRow(results, section, table, name))
    const all = (row, key) => row.runs.map((run) => run[key])
    return a && b && value((key) => ratio(all(a, key), all(b, key)), a, b)
  }

/** The throughput of one server, as a multiple of another's. Per CPU time it is the inverse of the time of a request. */
export const throughput = (section, table, ours, theirs) => (results) => {
  const wallClock = ofTwo(section, table, [ours, theirs], (of) => of('perSecond'))(results)
  const cpu = ofTwo(section, table, [theirs, ours], (of) => of('cpuUs'))(results)
  return wallClock && { wallClock, cpu }
}

/** The same by wall-clock time alone, where the disk is the limit. */
export const throughputByWallClock = (section, table, ...names) =>
  ofTwo(section, table, names, (of) => ({ wallClock: of('perSecond') }))

/** The CPU time that the database takes for a request of one server, as a multiple of another's; the system may not report it. */
export const databaseTime = (section, table, ...names) =>
  ofTwo(section, table, names, (of, { databaseUs }) =>
    Number.isFinite(databaseUs) ? { cpu: of('databaseUs') } : undefined,
  )

/** The start time of one server, as a multiple of another's. */
export const startTime = (...names) =>
  ofTwo('start', 'start', names, (of) => ({ wallClock: of('startedMs'), cpu: of('startedCpuMs') }))

export const memoryRatio = (...names) =>
  ofTwo('memory', 'memory', names, (of, { requests }) => ({
    wallClock: of('rssMb'),
    note: `after ${whole(requests)}`,
  }))

/** The CPU time that one server takes for a read over sockets in memory, as the share of another's. */
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
