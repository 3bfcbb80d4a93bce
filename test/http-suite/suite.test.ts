import { expect, test } from 'vitest'
import { cases } from '../../src/verify/cases/cases.js'
import { requirements } from '../../src/verify/cases/requirements.js'

test.each(requirements)('something proves "%s"', (point) => {
  expect(cases.some(({ requirement }) => requirement === point)).toBe(true)
})

test('no two cases of a mode say the same', () => {
  for (const mode of ['mock', 'production']) {
    const said = cases.filter((one) => one.mode === undefined || one.mode === mode).map(({ title }) => title)
    expect(said.filter((sentence, i) => said.indexOf(sentence) !== i)).toEqual([])
  }
})
