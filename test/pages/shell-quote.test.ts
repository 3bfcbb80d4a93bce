import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { shellQuote } from '../../src/pages/shell-quote.js'

it.each([
  'p1',
  'Pwn $(touch pwned)',
  '`touch pwned`',
  "it's; touch pwned",
  '"$HOME" \\ ! * ? [a] {a,b}',
  '~',
  '=ls',
  '#1',
  'a\nb',
  '',
])('gives a shell the word %j as it is', (word) => {
  expect(execFileSync('sh', ['-c', `printf '<%s>' ${shellQuote(word)}`], { encoding: 'utf8' })).toBe(
    `<${word}>`,
  )
})

it('leaves plain words plain', () => {
  expect(['acme-owner', 'http://localhost:4010', '2026-01-01T00:00:00Z'].map(shellQuote)).toEqual([
    'acme-owner',
    'http://localhost:4010',
    '2026-01-01T00:00:00Z',
  ])
})
