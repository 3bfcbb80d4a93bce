import { expect, test } from 'vitest'
import { cases } from '../../src/verify/cases/cases.js'
import { requirements } from '../../src/verify/cases/requirements.js'

test.each(requirements)('a case checks "%s"', (requirement) => {
  expect(cases.map((testCase) => testCase.requirement)).toContain(requirement)
})

test('titles are unique in each mode', () => {
  for (const mode of ['mock', 'production']) {
    const titles = cases.filter((testCase) => (testCase.mode ?? mode) === mode).map(({ title }) => title)
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([])
  }
})
