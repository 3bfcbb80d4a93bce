import { expect, test } from 'vitest'
import { createSite } from '../../../src/server/http/site.js'
import { testSettings } from '../server-harness.js'

test('a return address has at most 1,000 characters: it is stored in a cookie', () => {
  const site = createSite(testSettings, () => 'http://127.0.0.1:8080')
  const here = { protocol: 'http', host: 'a' }
  const longest = `/${'a'.repeat(999)}`
  expect(site.returnTo(longest, here)).toBe(longest)
  expect(site.returnTo(`${longest}a`, here)).toBe('/')
  expect(site.returnTo(`/?q=${'\u8a9e'.repeat(150)}`, here)).toBe('/')
  expect(site.returnTo(['/a'], here)).toBe('/')
})
