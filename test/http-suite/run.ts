import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Case } from '../../src/conformance/cases/case.js'
import { cases } from '../../src/conformance/cases/cases.js'
import { docsFaults } from '../../src/conformance/runner/docs-pages.js'
import { requestsOf } from '../../src/conformance/runner/needs.js'
import { runCase } from '../../src/conformance/runner/run-case.js'
import type { Target } from '../../src/conformance/runner/target.js'
import { type OperationName, operationNames } from '../../src/contract/operations.js'
import { undescribed } from '../contract/described-response.js'

export type SuiteTarget = Target & {
  /** Why this transport cannot run a case, for a reader; undefined where it can. */
  skipReason?(testCase: Case): string | undefined
}

/** Why a target cannot run a case, for a reader; undefined where it can. */
export const skipReason = (target: SuiteTarget, testCase: Case): string | undefined =>
  !target.isServer && requestsOf(testCase).some(({ raw }) => raw)
    ? 'a fetch client cannot send this request'
    : target.skipReason?.(testCase)

/**
 * Registers a test for each case, run against a service that starts from the demo fixture each time, and one for each
 * operation, which fails if no case has a successful response of the operation.
 * @param name the name of the service, e.g. `dev server`
 * @param start starts the service
 */
export function testHttp(name: string, mode: Target['mode'], start: () => Promise<SuiteTarget>): void {
  describe(name, () => {
    let target: SuiteTarget
    const succeeded = new Set<OperationName>()
    beforeAll(async () => {
      target = await start()
    })
    beforeEach(() => target.reset())
    afterAll(() => target?.close())

    test(`runs in ${mode} mode`, () => expect(target.mode).toBe(mode))

    for (const testCase of cases.filter((candidate) => (candidate.mode ?? mode) === mode)) {
      test(`${testCase.title} (${testCase.requirement})`, async ({ skip }) => {
        const reason = skipReason(target, testCase)
        skip(reason !== undefined, reason)
        const differences: string[] = []
        const faults = await runCase(target, testCase, ({ request, response, name, isSuccess }) => {
          if (name && isSuccess) succeeded.add(name)
          differences.push(...undescribed(request, response))
        })
        expect(faults).toEqual([])
        expect(differences).toEqual([])
      })
    }

    test('the pages that errors have linked to open and are about their codes', async () => {
      expect(target.docsBases.size).toBe(1)
      expect(await docsFaults(target)).toEqual([])
    })

    test.each(operationNames)('a case above has a successful response of %s', (name) => {
      expect(succeeded).toContain(name)
    })
  })
}
