import { describe, expect, test } from 'vitest'
import { wrapText } from '../../../src/cli/terminal/wrap-text.js'

describe('text of a page', () => {
  test.each([
    ['', 5, ['']],
    ['ab cd', 5, ['ab cd']],
    ['ab cde', 5, ['ab ', 'cde']],
    ['ab  cde', 4, ['ab  ', 'cde']],
    ['abcdefgh', 3, ['abc', 'def', 'gh']],
    ['a bcdefgh', 3, ['a b', 'cde', 'fgh']],
    ['abc def', 3, ['abc', 'def']],
    ['a\n\n  b', 5, ['a', '', '  b']],
    ['名前名前', 5, ['名前', '名前']],
    ['😀a', 2, ['😀', 'a']],
  ])('%j is broken into lines of at most %i columns', (text, width, lines) => {
    expect(wrapText(text, width)).toEqual(lines)
  })
})
