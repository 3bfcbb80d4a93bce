import { expect, test } from 'vitest'
import { type OperationName, operationNames, operations } from '../../src/contract/operations.js'
import { route } from '../../src/contract/route.js'
import type { Case } from '../../src/verify/cases/case.js'
import { cases } from '../../src/verify/cases/cases.js'
import { requirements } from '../../src/verify/cases/requirements.js'

test.each(requirements)('a case checks "%s"', (requirement) => {
  expect(cases.map((testCase) => testCase.requirement)).toContain(requirement)
})

test.each(operationNames)('a case expects success of %s', (name) => {
  expect(cases.some((testCase) => expectsSuccess(testCase, name))).toBe(true)
})

/** Whether a case sends the operation's method and path and expects its success status. */
const expectsSuccess = ({ steps }: Case, name: OperationName) =>
  steps
    .flatMap((entry) => ('concurrent' in entry ? entry.concurrent : [entry]))
    .some(
      ({ request, expect }) =>
        'method' in request &&
        'status' in expect &&
        request.method === operations[name].method &&
        route(request.method, request.path).operation === name &&
        expect.status === operations[name].success.status,
    )

test('titles are unique in each mode', () => {
  for (const mode of ['mock', 'production']) {
    const titles = cases.filter((testCase) => (testCase.mode ?? mode) === mode).map(({ title }) => title)
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([])
  }
})
