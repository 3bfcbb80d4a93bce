import { describe, expect, test } from 'vitest'
import { openTestApp } from '../server-harness.js'

describe.each(['/docs', '/openapi.json'])('%s', (url) => {
  test('is answered 304 to a request with its entity tag, and whole to others', async () => {
    const { app } = openTestApp()
    const first = await app.inject(url)
    const etag = String(first.headers.etag)
    expect(first.headers['cache-control']).toBe('no-cache')
    const again = await app.inject({ url, headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    const other = await app.inject({ url, headers: { 'if-none-match': '"other"' } })
    expect([other.statusCode, other.body]).toEqual([200, first.body])
  })
})
