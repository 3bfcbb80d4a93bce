import { describe, expect, test } from 'vitest'
import { logLine } from '../../../src/cli/output/log-line.js'
import type { LogEntry } from '../../../src/mock/log/log-entry.js'

const entry: LogEntry = {
  id: 17,
  time: '2026-01-01T12:00:00.000Z',
  method: 'PATCH',
  path: '/v1/projects/0198c0de-0000-7000-8000-000000000001',
  target: 'updateProject',
  kind: 'operation',
  session: 'acme-owner',
  status: 409,
  code: 'PROJECT_NAME_TAKEN',
  why: 'scenario updateProject PROJECT_NAME_TAKEN',
  forcedBy: 'scenario',
  ms: 3,
  curl: '',
}
const plain = (_style: string, text: string) => text

describe('a line of the log', () => {
  test.each([60, 80, 100, 120])('is never wider than a terminal of %i columns', (width) => {
    const line = logLine(entry, plain, width)
    expect(line.length).toBeLessThanOrEqual(width)
    expect(line).toContain('409 PROJECT_NAME_TAKEN')
    expect(line).toContain('PATCH /v1/')
  })

  test('is complete where there is space', () => {
    expect(logLine(entry, plain, 200)).toContain('scenario updateProject PROJECT_NAME_TAKEN · 3 ms')
    expect(logLine(entry, plain)).toBe(logLine(entry, plain, 200))
  })

  test('names the operation of GraphQL', () => {
    const graphql = 'query GetUser'
    expect(logLine({ ...entry, method: 'POST', path: '/graphql', graphql }, plain)).toContain(graphql)
  })
})
