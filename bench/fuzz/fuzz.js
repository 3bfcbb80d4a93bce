// One run of the fuzzer against one server.
import { setTimeout } from 'node:timers/promises'
import { sendBroken, sendPipeline } from './client.js'
import { createRandom } from './random.js'
import { createRequests } from './requests.js'

const connections = 48
/** Of so many requests the first part is to reach the memory that the server needs anyhow. */
const warmUp = 0.1
/** So many findings are shown whole. */
const shown = 10

/**
 * Sends requests to a server, half of them framed and pipelined on kept connections, half with broken bytes.
 * @returns the answers by status, the findings, the growth of memory after the warm-up in MB, and the longest time in ms that a
 *   parallel client waited for `/healthz`
 */
export async function fuzz({ url, requests, seed, cookies, codes, rssMb }) {
  const random = createRandom(seed)
  const { framed, broken } = createRequests(random, cookies)
  const findings = []
  let faults = 0
  const report = (fault, bytes) => {
    faults += 1
    if (findings.length < shown)
      findings.push({ fault, request: bytes.subarray(0, 2_000).toString('latin1') })
  }

  let sent = 0
  let answered = 0
  let rssBefore = rssMb()
  let isWarm = false
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
      if (!isWarm && sent > requests * warmUp) {
        isWarm = true
        rssBefore = rssMb()
      }
    }
  }

  let longestPauseMs = 0
  let isDone = false
  const probe = async () => {
    while (!isDone) {
      const started = performance.now()
      try {
        await (await fetch(new URL('/v1/auth/me', url))).arrayBuffer()
      } catch (error) {
        report(`a client in parallel was not served: ${error.cause?.code ?? error.message}`, Buffer.alloc(0))
      }
      longestPauseMs = Math.max(longestPauseMs, performance.now() - started)
      await setTimeout(20)
    }
  }
  const probing = probe()
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  isDone = true
  await probing
  return {
    seed,
    requests: sent,
    answers: answered,
    seconds: Math.round((performance.now() - started) / 1000),
    faults,
    grownMb: Math.round(rssMb() - rssBefore),
    longestPauseMs: Math.round(longestPauseMs),
    findings,
  }
}
