// One run of the fuzzer against one server.
import { percentile } from '../drills/percentile.js'
import { startProbe } from '../drills/probe.js'
import { sendBroken, sendPipeline } from './client.js'
import { createRandom } from './random.js'
import { createRequests } from './requests.js'

const connections = 48
/** The first part of the requests is to reach the memory that the server needs anyhow, and the last part shows what it grew to. */
const [warmUp, end] = [0.2, 0.9]
/** So many findings of a kind are shown whole. */
const shown = 3
/** The memory is looked at so many times. */
const samples = 200

/**
 * Sends requests to a server, half of them framed and pipelined on kept connections, half with broken bytes.
 * @param options.rssMb gives the server's memory in MB
 * @param options.onBatch is called, and awaited, after each `batch` requests
 * @returns the requests, answers and faults, the findings, and the growth of memory after the warm-up in MB (the medians of
 *   parts of the run)
 */
export async function fuzz({
  url,
  requests,
  seed,
  cookies,
  codes,
  rssMb,
  batch = 5_000,
  onBatch = () => {},
}) {
  const random = createRandom(seed)
  const { framed, broken } = createRequests(random, cookies)
  const findings = []
  const kinds = new Map()
  let faults = 0
  const report = (fault, bytes) => {
    faults += 1
    const [kind] = fault.split(':')
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    if (kinds.get(kind) <= shown)
      findings.push({ fault, request: bytes.subarray(0, 2_000).toString('latin1') })
  }

  const memory = []
  let sent = 0
  let answered = 0
  let batches = Promise.resolve()
  let done = 0
  const worker = async () => {
    while (sent < requests && faults < 1_000) {
      if (random.chance(0.5)) {
        const pipeline = Array.from({ length: 1 + random.below(16) }, framed)
        sent += pipeline.length
        const answers = await sendPipeline(url, pipeline, codes, report)
        answered += answers
      } else {
        sent += 1
        const answers = await sendBroken(url, broken(), codes, report)
        answered += answers
      }
      if (sent >= (memory.length * requests) / samples) memory.push({ part: sent / requests, mb: rssMb() })
      if (sent > (done + 1) * batch) {
        done += 1
        batches = batches.then(onBatch)
      }
      await batches
    }
  }

  const probe = startProbe(new URL('/v1/auth/me', url))
  await Promise.all(Array.from({ length: connections }, worker))
  const { refused } = await probe.stop()
  if (refused > 0) report(`${refused} requests of a client in parallel were not served`, Buffer.alloc(0))
  const medianOf = (from, to) =>
    percentile(
      memory.filter(({ part }) => part >= from && part < to).map(({ mb }) => mb),
      0.5,
    )
  return {
    requests: sent,
    answers: answered,
    faults,
    grownMb: Math.round(medianOf(end, Number.POSITIVE_INFINITY) - medianOf(warmUp / 2, warmUp)),
    findings,
  }
}
