import { expect, test } from 'vitest'
import { operationNames } from '../../../src/contract/operations.js'
import { describeTarget } from '../../../src/mock/engine/describe-target.js'
import { createTargets } from '../../../src/mock/engine/targets.js'

const targets = createTargets()
const describe = (name: string) => describeTarget(name, targets)

test('an operation is described by its contract: input with limits, responses with codes, who may', () => {
  expect(describe('post /v1/projects')).toMatchObject({
    target: 'createProject',
    request: 'POST /v1/projects',
    who:
      'a session whose organisation has a team, with the permission create:projects (else 401 AUTH_REQUIRED, ' +
      '400 ONBOARDING_REQUIRED, 403 TEAM_MEMBERSHIP_REQUIRED, 403 INSUFFICIENT_PERMISSIONS)',
    body: {
      name: 'string, at least 1 character. Stored as sent.',
      'description?': expect.any(String),
    },
    bodyLimits:
      'application/json (else 415) of at most 65536 bytes (else 413), an object (else 422) that fits (else 422 VALIDATION_FAILED), ' +
      'texts without U+0000 and lone surrogates',
    responses: {
      201: { project: { id: 'string', description: 'string or null' } },
      '409 PROJECT_NAME_TAKEN': 'Your team already has a project with this name.',
    },
    otherOutcomes: expect.arrayContaining(['503 SERVICE_UNAVAILABLE', 'drop', 'hang']),
  })
})

test.each(operationNames)('the description of %s has about 300 tokens', (name) => {
  // As the tools of agents send it. A token has about 4.2 bytes.
  const bytes = Buffer.byteLength(JSON.stringify(describe(name), undefined, 1))
  expect(bytes / 4.2).toBeLessThan(340)
})

test('a handler has no contract, and a named scenario says what it does', () => {
  targets.setHandlers([
    { target: 'GET /api/invoices/:id', kind: 'handler', method: 'GET', path: '/api/invoices/:id' },
  ])
  expect(describe('GET /api/invoices/:id')).toEqual({
    target: 'GET /api/invoices/:id',
    kind: 'handler',
    request: 'GET /api/invoices/:id',
    otherOutcomes: expect.arrayContaining([500, 'hang']),
  })
  expect(describe('empty')).toMatchObject({ kind: 'scenario', about: expect.stringContaining('No projects') })
  expect(() => describe('emty')).toThrow('There is no target "emty". Did you mean empty? Possible: ')
})
