// What the system tells of a process; NaN where it does not.
import { readdirSync, readFileSync } from 'node:fs'

const read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The resident memory in MB. */
export const rssMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1]) / 1024

/** How many files and sockets are open. */
export function descriptors(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return Number.NaN
  }
}

/**
 * Watches how often a process waits for a processor that others use.
 * @returns what gives the part of the time since then in which it could have run and did not, from 0 to 1
 */
export function watchProcessorWait(pid) {
  const times = () => read(`/proc/${pid}/schedstat`).split(' ').map(Number)
  const [ranBefore, waitedBefore] = times()
  return () => {
    const [ran, waited] = times()
    return (waited - waitedBefore) / (ran - ranBefore + waited - waitedBefore)
  }
}
