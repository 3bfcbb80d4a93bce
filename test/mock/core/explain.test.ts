import { describe, expect, it } from 'vitest'
import { type ErrorCode, errors } from '../../../src/contract/errors.js'
import type { Reply } from '../../../src/handlers/reply.js'
import { explain, unknownCookie } from '../../../src/mock/core/explain.js'

const reply = (code?: ErrorCode): Reply => {
  const head = { status: 0, headers: {} }
  return code === undefined ? { ...head, body: {} } : { ...head, code, message: '' }
}

describe('the explanation of a reply', () => {
  it.each([
    [undefined, 'no cookie, or two'],
    [unknownCookie, 'unknown cookie'],
    ['acme-owner', 'expired'],
  ])('of AUTH_REQUIRED distinguishes cookies: %s', (cookie, reason) => {
    expect(explain(reply('AUTH_REQUIRED'), cookie)).toBe(`session check: ${reason}`)
  })

  it('of AUTH_REQUIRED has the reason why a browser sent no cookie', () => {
    expect(explain(reply('AUTH_REQUIRED'), undefined, 'two sites')).toBe('session check: two sites')
    expect(explain(reply('AUTH_REQUIRED'), 'acme-owner', 'two sites')).toBe('session check: expired')
  })

  const checks: Partial<Record<ErrorCode, string>> = {
    ONBOARDING_REQUIRED: 'organisation check',
    TEAM_MEMBERSHIP_REQUIRED: 'team check',
    INSUFFICIENT_PERMISSIONS: 'permission check',
    EMPTY_QUERY_FILTER: 'path check',
    VALIDATION_FAILED: 'body check',
    NOT_FOUND: 'routing',
    METHOD_NOT_ALLOWED: 'routing',
    INTERNAL_ERROR: 'a fault of the mock',
  }
  const codes = (Object.keys(errors) as ErrorCode[]).filter((code) => code !== 'AUTH_REQUIRED')
  it.each(codes)('of %s names the check, whatever the cookie is, or the handler', (code) => {
    for (const cookie of [undefined, unknownCookie, 'acme-owner']) {
      expect(explain(reply(code), cookie)).toBe(checks[code] ?? 'handler')
    }
  })

  it('of a success names the handler, without a cookie too', () => {
    for (const cookie of [undefined, unknownCookie, 'acme-owner']) {
      expect(explain(reply(), cookie)).toBe('handler')
    }
  })
})
