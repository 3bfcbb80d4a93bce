import fc from 'fast-check'
import { expect } from 'vitest'
import { callers } from '../../src/conformance/callers.js'
import { play } from '../../src/conformance/play.js'
import { cases } from '../../src/conformance/sections.js'
import { type Received, type SentRequest, type Target, toReceived } from '../../src/conformance/target.js'
import { type Answer, type compareModes, ParityError } from './compare-modes.js'
import { bytesOfSent, generatedRequest, host } from './generated-requests.js'
import { cookieOf, type Modes } from './start-modes.js'

type Comparison = ReturnType<typeof compareModes>

/** Runs all comparisons, and returns the first findings. */
export async function findingsOf(works: Iterable<() => Promise<unknown>>): Promise<string[]> {
  const findings: string[] = []
  for (const work of works) {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ParityError)) throw error
      findings.push(error.message)
    }
  }
  return findings.slice(0, 5)
}

/** The last response, after an interim one. */
const received = (answers: Answer[]): Received => {
  const { status = 0, headers = {}, body = '' } = answers.at(-1) ?? {}
  return toReceived(status, headers, Buffer.from(body, 'latin1').toString())
}

/** Runs the cases of the conformance suite, and sends each request to both modes. @returns the first findings */
export async function compareCases(comparison: Comparison): Promise<string[]> {
  const findings: string[] = []
  // Concurrent requests are sent in sequence: otherwise the order of their effects could differ.
  let last: Promise<unknown> = Promise.resolve()
  const send = (request: SentRequest): Promise<Received> => {
    const sent = last.then(() => comparison.send(bytesOfSent(request)))
    last = sent.catch(({ message }) => void findings.push(message))
    return sent.then(received)
  }
  const target: Target = {
    mode: 'production',
    baseUrl: `http://${host}`,
    cookieOf: (as) => cookieOf(callers[as].persona),
    isServer: true,
    send,
  }
  for (const testCase of cases) {
    // Expectations of cases are ignored: the clock and the ids of both modes are artificial.
    await play(target, testCase)
    // Other concurrent requests may still be waiting after one has failed.
    await last
    if (testCase.write) await comparison.reset()
  }
  return findings.slice(0, 5)
}

/**
 * Sends generated sequences of requests, and compares the stored records after each. A failure prints the shortest sequence.
 * PARITY_SEED varies the sequences, PARITY_RUNS sets their number.
 */
export async function compareSequences(modes: Modes, comparison: Comparison, runs: number): Promise<void> {
  const { PARITY_SEED: seed = '1', PARITY_RUNS: numRuns = runs } = process.env
  const sequences = fc.array(generatedRequest, { minLength: 20, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(sequences, async (requests) => {
      await comparison.reset()
      const createdIds: string[] = []
      for (const makeBytes of requests) {
        const { status, json } = received(await comparison.send(makeBytes(createdIds)))
        if (status === 201) createdIds.push((json as { project: { id: string } }).project.id)
      }
      const [mock, production] = await Promise.all([modes.mock.stored(), modes.production.stored()])
      expect(production.projects).toEqual(mock.projects)
      expect(production.waitlist).toEqual(mock.waitlist)
    }),
    { numRuns: Number(numRuns), seed: Number(seed) },
  )
}
