// Reads a CPU profile of Node: the share of each category of code.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const responseHeads =
  /^(RegExp: |_storeHeader|processHeader|storeHeader|checkInvalidHeaderChar|checkIsHttpToken|matchHeader|writeHead|setHeader|appendHeader)/
/** A frame belongs to the first category that matches it. */
const categories = [
  ['system calls that send', ({ functionName }) => /^write(v|Buffer|\w+String)$/.test(functionName)],
  [
    'checking for commits',
    ({ functionName, url }) => functionName === 'readSync' || (functionName === 'read' && url === ''),
  ],
  ['response heads', ({ functionName }) => responseHeads.test(functionName)],
  ['garbage collection', ({ functionName }) => functionName === '(garbage collector)'],
  ["Node's HTTP, streams and timers", ({ url }) => url.startsWith('node:')],
  ['Fastify and other packages', ({ url }) => url.includes('/node_modules/')],
  ['the service itself', ({ url }) => url.startsWith('file:')],
  ['other native code', () => true],
]

/**
 * Reads the profile in a folder.
 * @param lastMs only the end of the profile is counted, in ms
 * @returns the share of each category in the busy time
 */
export function categoryShares(folder, lastMs) {
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'))
  const { nodes, samples, timeDeltas, endTime, startTime } = JSON.parse(
    readFileSync(join(folder, file), 'utf8'),
  )
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const counts = new Map(categories.map(([name]) => [name, 0]))
  let time = startTime
  let total = 0
  for (const [i, id] of samples.entries()) {
    time += timeDeltas[i]
    const frame = frames.get(id)
    if (time < endTime - lastMs * 1000 || frame.functionName === '(idle)') continue
    const [name] = categories.find(([, matches]) => matches(frame))
    counts.set(name, counts.get(name) + 1)
    total += 1
  }
  return [...counts].map(([name, count]) => ({ name, share: count / total }))
}
