import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Case } from '../../src/verify/cases/case.js'
import { cases } from '../../src/verify/cases/cases.js'
import { unsupportedReason } from '../../src/verify/runner/needs.js'
import { runCase } from '../../src/verify/runner/run-case.js'
import type { Target } from '../../src/verify/runner/target.js'

export type SuiteTarget = Target & {
  /** Why a case cannot be played over this transport, for a reader; undefined where it can. */
  cannotPlay?(one: Case): string | undefined
}

/**
 * Registers one test for each case of the table, played against a service that starts from the demo
 * fixture each time.
 * @param name what runs, e.g. `dev server`
 * @param start starts it
 */
export function testHttp(name: string, mode: Target['mode'], start: () => Promise<SuiteTarget>): void {
  describe(name, () => {
    let target: SuiteTarget
    beforeAll(async () => {
      target = await start()
    })
    beforeEach(() => target.reset())
    afterAll(() => target?.close())

    test(`runs in ${mode} mode`, () => expect(target.mode).toBe(mode))

    for (const one of cases.filter((each) => each.mode === undefined || each.mode === mode)) {
      test(`${one.title} (${one.requirement})`, async ({ skip }) => {
        const reason = unsupportedReason(one, target) ?? target.cannotPlay?.(one)
        skip(reason !== undefined, reason)
        expect(await runCase(target, one)).toEqual([])
      })
    }
  })
}
