import fc from 'fast-check'
import { expect } from 'vitest'
import type { ReceivedResponse } from '../../src/conformance/cases/case.js'
import { cases } from '../../src/conformance/cases/cases.js'
import { toResponse } from '../../src/conformance/runner/target.js'
import { demoData } from '../http-suite/demo-data.js'
import { type compareModes, ParityError } from './compare-modes.js'
import { bytesOf, generatedRequest } from './requests.js'
import type { Modes } from './start-modes.js'
import type { Answer } from './wires.js'

type Comparison = ReturnType<typeof compareModes>

const { PARITY_SEED = '1', PARITY_RUNS } = process.env
/** PARITY_SEED repeats what is generated, or varies it. */
export const seed = Number(PARITY_SEED)

/** Does all works, and returns the first findings. */
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

const received = ({ status, headers, body }: Answer): ReceivedResponse =>
  toResponse(status, headers, Buffer.from(body, 'latin1').toString())

/** Sends the requests of each case of the conformance suite. Returns the first findings. */
export const compareCases = (comparison: Comparison): Promise<string[]> =>
  findingsOf(
    cases.map(({ steps }) => async () => {
      const responses: ReceivedResponse[] = []
      let isChanged = false
      for (const step of steps.flat()) {
        const caseRequest = typeof step === 'function' ? step({ data: demoData, responses }) : step
        const response = received(await comparison.request(bytesOf(caseRequest)))
        responses.push(response)
        isChanged ||= response.status < 400 && !/^(GET|HEAD)$/.test(caseRequest.method)
      }
      if (isChanged) await comparison.reset()
    }),
  )

/**
 * Sends generated sequences of requests, and compares what is stored after each. A failure prints the shortest one.
 * @param runs the number of sequences, unless PARITY_RUNS sets it
 */
export async function compareSequences(modes: Modes, comparison: Comparison, runs: number): Promise<void> {
  const sequences = fc.array(generatedRequest, { minLength: 20, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(sequences, async (requests) => {
      await comparison.reset()
      const createdIds: string[] = []
      for (const makeBytes of requests) {
        const { status, json } = received(await comparison.request(makeBytes(createdIds)))
        if (status === 201) createdIds.push((json as { project: { id: string } }).project.id)
      }
      const [mock, production] = await Promise.all([modes.mock.stored(), modes.production.stored()])
      expect(production.projects).toEqual(mock.projects)
      expect(production.waitlist).toEqual(mock.waitlist)
    }),
    { numRuns: Number(PARITY_RUNS ?? runs), seed },
  )
}
