import { expect, test } from 'vitest'
import { differencesOf } from '../../../src/mock/log/body-difference.js'

test.each([
  [{ name: 'Apollo' }, { name: 'Apollo', description: 'more' }, []],
  [{ name: 'Apollo' }, { name: 'Apolo' }, ['name is "Apolo", not "Apollo"']],
  [{ a: { b: 1 } }, { a: {} }, ['a.b is missing']],
  [{ list: [1, { x: 2 }] }, { list: [1, { x: 3, y: 4 }] }, ['list[1].x is 3, not 2']],
  [[1, 2], [1], ['the body is [1], not [1,2]']],
  ['text', 'text', []],
  ['text', undefined, ['the body is missing']],
  [null, {}, ['the body is {}, not null']],
  [
    { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 },
    {},
    [...'abcde'].map((name) => `${name} is missing`).concat('2 more'),
  ],
])('%j compared with %j', (expected, body, differences) => {
  expect(differencesOf(expected, body)).toEqual(differences)
})
