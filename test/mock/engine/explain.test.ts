import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ErrorCode, errors } from '../../../src/contract/errors.js'
import { defaultTeamLimits } from '../../../src/contract/limits.js'
import type { Project } from '../../../src/contract/schemas.js'
import type { Reply } from '../../../src/handlers/reply.js'
import { createMock } from '../../../src/mock/create-mock.js'
import { explain } from '../../../src/mock/engine/explain.js'
import type { MockCaller } from '../../../src/mock/state/personas.js'
import { emptyState } from '../../../src/store/state-file.js'

const reply = (code?: ErrorCode): Reply => {
  const head = { status: 0, headers: {} }
  return code === undefined ? { ...head, body: {} } : { ...head, code, message: '' }
}

describe('the explanation of a reply', () => {
  it('of AUTH_REQUIRED says why the caller has no persona, or why a browser sent no cookie', () => {
    const reasonOf = (...given: [MockCaller['absence'], string?]) => explain(reply('AUTH_REQUIRED'), ...given)
    expect(reasonOf(undefined)).toBe('session check: no cookie')
    expect(reasonOf('expired')).toBe('session check: expired')
    expect(reasonOf(undefined, 'two sites')).toBe('session check: two sites')
    expect(reasonOf('expired', 'two sites')).toBe('session check: expired')
  })

  const checks: Partial<Record<ErrorCode, string>> = {
    ONBOARDING_REQUIRED: 'organisation check',
    TEAM_MEMBERSHIP_REQUIRED: 'team check',
    INSUFFICIENT_PERMISSIONS: 'permission check',
    EMPTY_QUERY_FILTER: 'path check',
    VALIDATION_FAILED: 'validation',
    NOT_FOUND: 'routing',
    METHOD_NOT_ALLOWED: 'routing',
    INTERNAL_ERROR: 'a fault of the mock',
  }
  const codes = (Object.keys(errors) as ErrorCode[]).filter((code) => code !== 'AUTH_REQUIRED')
  it.each(codes)('of %s names the check or the handler, whatever the cookie is', (code) => {
    for (const absence of [undefined, 'unknown cookie', 'expired'] as const) {
      expect(explain(reply(code), absence)).toBe(checks[code] ?? 'handler')
    }
  })

  it('distinguishes an invalid body from a full team, which have the same code', async () => {
    const project = (id: string): Project => ({
      id,
      name: id,
      description: null,
      status: 'active',
      teamId: 'acme',
      createdAt: '2026-01-01T00:00:00.000Z',
    })
    const { projects } = defaultTeamLimits
    const full = Array.from({ length: projects }, (_, i) => project(`p${i}`))
    const mock = createMock({
      baseUrl: 'http://mock.test',
      session: 'owner',
      fixtures: {
        ...emptyState(),
        teams: [{ id: 'acme', name: 'Acme', orgCode: 'acme' }],
        users: [{ id: 'ada', email: 'ada@acme.example', givenName: 'Ada', familyName: 'Osei', picture: '' }],
        sessions: [{ id: 'owner', userId: 'ada', orgCode: 'acme', permissions: ['create:projects'] }],
        projects: full,
      },
    })
    const server = setupServer(...mock.handlers)
    server.listen()
    onTestFinished(() => server.close())
    for (const body of ['{}', '{"name":"one more"}']) {
      const headers = { 'content-type': 'application/json' }
      await fetch('http://mock.test/v1/projects', { method: 'POST', headers, body })
    }
    expect((await mock.log.read()).map(({ status, why }) => [status, why])).toEqual([
      [422, 'validation'],
      [422, 'validation'],
    ])
  })

  it('of a success names the handler, even without a cookie', () => {
    for (const absence of [undefined, 'unknown cookie', 'expired'] as const) {
      expect(explain(reply(), absence)).toBe('handler')
    }
  })
})
