import { expect, test } from 'vitest'
import { createSite } from '../../../src/server/http/site.js'

test('a return address has at most 2,000 characters: it is stored in a cookie', () => {
  const site = createSite({
    publicUrl: 'https://api.example.com',
    listeningOrigin: () => '',
    cookieName: 'session',
    allowedOrigins: [],
  })
  const longest = `/${'a'.repeat(1_999)}`
  expect(site.returnTo(longest)).toBe(longest)
  expect(site.returnTo(`${longest}a`)).toBe('/')
  expect(site.returnTo(['/a'])).toBe('/')
})
