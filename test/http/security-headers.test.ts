import { expect, test } from 'vitest'
import { securityHeaders } from '../../src/http/security-headers.js'

const always = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

test('a browser that reached the service over https keeps using https', () => {
  expect(securityHeaders(false)).toEqual(always)
  expect(securityHeaders(true)).toEqual({
    ...always,
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  })
})
