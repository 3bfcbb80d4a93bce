import { describe, expect, test } from 'vitest'
import { corsHeaders, preflightHeaders } from '../../src/contract/cors.js'

test('a page of an allowed origin may read responses with cookies, and the headers that clients need', () => {
  expect(corsHeaders('https://app.example.com')).toEqual({
    'access-control-allow-origin': 'https://app.example.com',
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'allow, retry-after, x-request-id, x-sign-out-url',
  })
})

describe('a preflight request', () => {
  const asking = (method: string, headers?: string) => ({
    'access-control-request-method': method,
    'access-control-request-headers': headers,
  })

  test('gets the methods of the interface, and the headers that it asks for', () => {
    expect(preflightHeaders('OPTIONS', asking('PATCH', 'content-type,x-trace'))).toEqual({
      'access-control-allow-methods': 'POST, GET, HEAD, PATCH',
      'access-control-allow-headers': 'content-type,x-trace',
      'access-control-max-age': '600',
    })
    expect(preflightHeaders('OPTIONS', asking('PATCH'))).toMatchObject({
      'access-control-allow-headers': 'content-type',
    })
  })

  test('gets another method only where any is allowed, and each once', () => {
    const methods = (method: string, takesAny?: boolean) =>
      preflightHeaders('OPTIONS', asking(method), takesAny)?.['access-control-allow-methods']
    expect(methods('PUT')).not.toContain('PUT')
    expect(methods('PUT', true)).toBe('POST, GET, HEAD, PATCH, PUT')
    expect(methods('GET', true)).toBe('POST, GET, HEAD, PATCH')
  })

  test.each([
    ['a request with another method', 'GET', asking('GET')],
    ['OPTIONS that asks for no method', 'OPTIONS', {}],
    ['a request without a method', undefined, asking('GET')],
  ])('is not %s', (_, method, headers) => {
    expect(preflightHeaders(method, headers)).toBeUndefined()
  })
})
