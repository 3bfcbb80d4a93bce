// What the system tells of a process; NaN where it does not.
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

/** The resident memory in MB. */
export const rssMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1]) / 1024

/** The processor time of all its threads, in ms. */
export function cpuMs(pid) {
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/**
 * What tells the processor time of a process and its children, in ms. A child that ended counts with what was seen of it.
 */
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

/** A process that waits for a processor in more than this part of the time in which it could run cannot be judged by times. */
const busy = 0.5

/** @returns what tells whether a process has waited for processors, which others use, for so long since then */
export function watchBusyMachine(pid) {
  const times = () => read(`/proc/${pid}/schedstat`).split(' ').map(Number)
  const [ranBefore, waitedBefore] = times()
  return () => {
    const [ran, waited] = times()
    return (waited - waitedBefore) / (ran - ranBefore + waited - waitedBefore) > busy
  }
}
