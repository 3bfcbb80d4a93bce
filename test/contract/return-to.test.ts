import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeReturnTo } from '../../src/contract/return-to.js'

const site = 'https://dashboard.example'

/** The URL that a browser opens for this Location header on the sign-in page. */
const destination = (location: string) => new URL(location, `${site}/auth/sign-in`)

test.each(['/', '/projects/1?tab=a&x=/y#top', '/a//b', '/%2F..', '/a?next=//b', '/@b'])(
  'the path %s of the site is returned unchanged',
  (path) => expect(safeReturnTo(path, site)).toBe(path),
)

test('a URL of the site is returned as its path', () => {
  expect(safeReturnTo('https://dashboard.example/a?b#c', site)).toBe('/a?b#c')
  expect(safeReturnTo('https://dashboard.example', site)).toBe('/')
})

test('only a URL of an allowed origin is returned', () => {
  const allowed = (origin: string) => ['https://app.example', 'http://localhost:5173'].includes(origin)
  expect(safeReturnTo('http://localhost:5173/x', site, allowed)).toBe('http://localhost:5173/x')
  expect(safeReturnTo('https://app.example/home', site, allowed)).toBe('https://app.example/home')
  expect(safeReturnTo('//app.example/home', site, allowed)).toBe('https://app.example/home')
  for (const value of [
    'http://app.example/home',
    'https://app.example:8443/home',
    'https://app.example.evil.example/',
    'https://evil.example/https://app.example',
    'https://app.example@evil.example/',
    'https://user:pass@app.example/',
  ]) {
    expect(safeReturnTo(value, site, allowed), value).toBe('/')
  }
})

const attempts = [
  undefined,
  null,
  '',
  'projects',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\r\n/evil.example',
  ' //evil.example',
  '/ /evil.example',
  '\u0001https://evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'HTTPS://EVIL.EXAMPLE',
  'ht\ntps://evil.example',
  'https://dashboard.example@evil.example',
  'https://dashboard.example:444/',
  'http://dashboard.example/',
  'https://dashboard.example\\@evil.example',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://dashboard.example/1',
  'mailto:a@evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/./\\evil.example',
  '/%2e%2e//evil.example',
  'https://dashboard.example//evil.example',
  'https://[::1',
]

test.each(attempts)('%j leads to the start page', (value) => {
  expect(safeReturnTo(value, site)).toBe('/')
})

test('for any value, the browser stays on the site and the header cannot be split', () => {
  const piece = fc.oneof(
    fc.constantFrom('/', '\\', '//', '.', '..', '%2e', '%2F', '@', ':', '?', '#', '\t', '\n', ' ', '\u0000'),
    fc.constantFrom('https:', 'http:', 'javascript:', 'evil.example', 'dashboard.example', '[', ']'),
    fc.string({ maxLength: 3 }),
  )
  const attempt = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(attempt, (value) => {
      const location = safeReturnTo(value, site)
      expect(destination(location).origin).toBe(site)
      expect(location).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/)
    }),
    { numRuns: 2000 },
  )
})
