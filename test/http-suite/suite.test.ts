import { expect, test } from 'vitest'
import { cases } from '../../src/conformance/cases/cases.js'

test('titles are unique in each mode', () => {
  for (const mode of ['mock', 'production']) {
    const titles = cases.filter((testCase) => (testCase.mode ?? mode) === mode).map(({ title }) => title)
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([])
  }
})
