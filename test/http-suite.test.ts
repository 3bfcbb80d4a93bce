import { expect, test } from 'vitest'
import { cases } from '../src/verify/cases.js'
import { points } from '../src/verify/points.js'

test.each(points)('something proves "%s"', (point) => {
  expect(cases.some(({ proves }) => proves === point)).toBe(true)
})

test('no two cases of a mode say the same', () => {
  for (const mode of ['mock', 'production']) {
    const said = cases.filter((one) => one.mode === undefined || one.mode === mode).map(({ says }) => says)
    expect(said.filter((sentence, i) => said.indexOf(sentence) !== i)).toEqual([])
  }
})
