// Figures of a process from the system; NaN where it has none.
import { readdirSync, readFileSync } from 'node:fs'

const read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const list = (folder) => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The resident memory, in MB. */
export const rssMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1]) / 1024

/** The processor time of all its threads, in ms. */
export function cpuMs(pid) {
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** @returns a function that returns the processor time of a process and its children, in ms; for an ended child, the last value seen */
export function familyCpu(parent) {
  const seen = new Map()
  return () => {
    for (const pid of list('/proc')) {
      const family = [pid, read(`/proc/${pid}/stat`).split(') ').at(-1).split(' ')[1]]
      // In nanoseconds; the file `stat` has hundredths of a second.
      if (family.includes(String(parent)))
        seen.set(
          pid,
          Number(read(`/proc/${pid}/schedstat`).split(' ')[0]) / 1e6 || (seen.get(pid) ?? Number.NaN),
        )
    }
    return seen.size > 0 ? [...seen.values()].reduce((sum, ms) => sum + ms, 0) : Number.NaN
  }
}
