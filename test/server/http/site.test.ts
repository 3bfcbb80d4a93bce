import { expect, test } from 'vitest'
import { createSite } from '../../../src/server/http/site.js'
import { testSettings } from '../server-harness.js'

test('a return address has at most 2,000 characters: it is stored in a cookie', () => {
  const site = createSite(testSettings, () => 'http://127.0.0.1:8080')
  const longest = `/${'a'.repeat(1_999)}`
  expect(site.returnTo(longest)).toBe(longest)
  expect(site.returnTo(`${longest}a`)).toBe('/')
  expect(site.returnTo(`/?q=${'\u8a9e'.repeat(300)}`)).toBe('/')
  expect(site.returnTo(['/a'])).toBe('/')
})
