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
    who: 'a session whose organisation has a team, with the permission create:projects',
    body: {
      name: expect.stringMatching(/^string, at least 1 character\. /),
      'description?': expect.any(String),
    },
    bodyLimits:
      'application/json (else 415) of at most 65536 bytes (else 413), an object (else 422) that fits (else 422)',
    responses: {
      201: { project: { id: 'string', description: 'string or null' } },
      '409 PROJECT_NAME_TAKEN': 'Your team already has a project with this name.',
    },
    otherOutcomes: expect.arrayContaining(['503 SERVICE_UNAVAILABLE', 'drop', 'hang']),
  })
})

test('the description of an operation has about 300 tokens', () => {
  const lengths = operationNames.map((name) => JSON.stringify(describe(name)).length)
  // A token has about four bytes.
  expect(lengths.reduce((sum, length) => sum + length) / lengths.length).toBeLessThan(1200)
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
