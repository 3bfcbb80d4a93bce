import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { play } from '../../src/conformance/play.js'
import { cases } from '../../src/conformance/sections.js'
import type { Target } from '../../src/conformance/target.js'
import { type OperationName, operationNames } from '../../src/contract/operations.js'
import { route } from '../../src/contract/route.js'
import { undescribed } from '../contract/described-response.js'
import type { StartedTarget } from './start-dev-server.js'

/**
 * Registers a test for each case, which runs against a service with the demo fixture; one for each operation, which fails if
 * it succeeds in no case; and one for the stored sign-up, which no response shows.
 * @param name the name of the service, e.g. `the dev server`
 */
export function testHttp(name: string, mode: Target['mode'], start: () => Promise<StartedTarget>): void {
  describe(name, () => {
    let target: StartedTarget
    const succeeded = new Set<OperationName>()
    beforeAll(async () => {
      target = await start()
    })
    beforeEach(() => target.reset())
    afterAll(() => target?.close())

    for (const testCase of cases.filter((candidate) => (candidate.mode ?? mode) === mode)) {
      test(`${testCase.title} (${testCase.requirement})`, async ({ skip }) => {
        const differences: string[] = []
        const { failure, skipped } = await play(target, testCase, (request, reply) => {
          const { operation } = route(request.method, request.path.split('?', 1)[0] ?? '')
          if (operation && reply.status < 300) succeeded.add(operation)
          differences.push(...undescribed(request, reply))
        })
        skip(skipped !== undefined, skipped)
        expect(failure).toBeUndefined()
        // openapi.json describes each response.
        expect(differences).toEqual([])
      })
    }

    test.each(operationNames)('%s succeeds in a case above', (name) => {
      expect(succeeded).toContain(name)
    })

    test('a sign-up is stored once, trimmed and lower-cased (2.3)', async () => {
      for (const email of [' Ada@Example.COM\n', 'ada@example.com', 'ADA@example.com'])
        await target.fetch(`${target.baseUrl}/v1/waitlist`, {
          method: 'POST',
          headers: [['content-type', 'application/json']],
          body: JSON.stringify({ email }),
        })
      const emails = (await target.stored()).waitlist.map(({ email }) => email)
      expect(emails.filter((email) => /ada/i.test(email))).toEqual(['ada@example.com'])
    })
  })
}
