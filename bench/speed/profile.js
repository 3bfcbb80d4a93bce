// Where a process spent its time, of a profile that Node has written.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const heads =
  /^(RegExp: |_storeHeader|processHeader|storeHeader|checkInvalidHeaderChar|checkIsHttpToken|matchHeader|writeHead|toWire)/
const kinds = [
  ['sending, by the system', ({ functionName }) => /^write(v|Buffer|\w+String)$/.test(functionName)],
  [
    'whether there was a commit',
    ({ functionName, url }) => functionName === 'readSync' || (functionName === 'read' && url === ''),
  ],
  ['heads of answers', ({ functionName }) => heads.test(functionName)],
  ['collecting garbage', ({ functionName }) => functionName === '(garbage collector)'],
  ["Node's HTTP, streams and timers", ({ url }) => url.startsWith('node:')],
  ['Fastify and other packages', ({ url }) => url.includes('/node_modules/')],
  ['the service itself', ({ url }) => url.startsWith('file:')],
  ['other native code', () => true],
]

/**
 * Reads the profile in a folder.
 * @param lastMs how much of its end is looked at
 * @returns the part of the time that each kind of work took, of all but idling
 */
export function partsOf(folder, lastMs) {
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'))
  const { nodes, samples, timeDeltas, endTime, startTime } = JSON.parse(
    readFileSync(join(folder, file), 'utf8'),
  )
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const counts = new Map(kinds.map(([name]) => [name, 0]))
  let time = startTime
  let all = 0
  for (const [i, id] of samples.entries()) {
    time += timeDeltas[i]
    const frame = frames.get(id)
    if (time < endTime - lastMs * 1000 || frame.functionName === '(idle)') continue
    const [name] = kinds.find(([, is]) => is(frame))
    counts.set(name, counts.get(name) + 1)
    all += 1
  }
  return [...counts].map(([name, count]) => ({ name, part: count / all }))
}
