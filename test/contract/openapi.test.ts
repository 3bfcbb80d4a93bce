import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { describeInterface } from '../../src/cli/describe-interface.js'
import { errors, interfaceErrors, operationalErrors } from '../../src/contract/errors.js'
import { openApiDocument } from '../../src/contract/openapi.js'
import type { DescribedResponse } from '../../src/contract/openapi-schemas.js'
import { type Operation, operationNames, operations } from '../../src/contract/operations.js'

const copy = fileURLToPath(new URL('../../openapi.json', import.meta.url))
const document = openApiDocument()

/** An operation of the document. */
function described(name: (typeof operationNames)[number]) {
  const { method, path } = operations[name]
  const operation = document.paths[path]?.[method.toLowerCase()]
  if (!operation) throw new Error(`${name} is not in the document`)
  return operation
}

const nameIn = ($ref: string) => $ref.split('/').at(-1) as keyof typeof document.components.responses

function contentOf(response: object | undefined) {
  const { content } = response as DescribedResponse
  if (!content) throw new Error('The response has no body')
  return content['application/json']
}

describe('the OpenAPI document', () => {
  test('equals openapi.json in the repository; UPDATE=1 writes the file', () => {
    if (process.env.UPDATE) writeFileSync(copy, describeInterface('json'))
    expect(readFileSync(copy, 'utf8')).toBe(describeInterface('json'))
  })

  test('is the same in YAML', () => {
    expect(parse(describeInterface('yaml'))).toEqual(JSON.parse(describeInterface('json')))
  })

  test('has version 0.1.0, no servers, and the session cookie as its API key (sections 5.1 and 9)', () => {
    expect(document.info.version).toBe('0.1.0')
    expect(document).not.toHaveProperty('servers')
    expect(document.components.securitySchemes.session).toMatchObject({
      type: 'apiKey',
      in: 'cookie',
      name: 'session',
    })
    for (const name of operationNames) {
      expect(described(name).security, name).toEqual(name === 'joinWaitlist' ? [] : [{ session: [] }])
    }
  })

  test('has exactly the operations of the table', () => {
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    )
    const table = operationNames.map((name) => {
      const { method, path } = operations[name]
      return `${name} ${method.toLowerCase()} ${path}`
    })
    expect(found.sort()).toEqual(table.sort())
  })

  test('refuses additional properties exactly where the interface does', () => {
    const { schemas } = document.components
    for (const name of [
      'Project',
      'CreateProjectBody',
      'UpdateProjectBody',
      'ErrorBody',
      'ValidationDetails',
    ])
      expect(schemas[name], name).toHaveProperty('additionalProperties', false)
    expect(schemas.JoinWaitlistBody).not.toHaveProperty('additionalProperties')
  })

  test('has a body with an example for every status, and every code that can be returned', () => {
    for (const name of operationNames) {
      const { responses } = described(name)
      const operation: Operation = operations[name]
      const own = Object.values(responses).filter((response) => 'content' in response)
      for (const response of own) expect(Object.keys(contentOf(response).examples), name).not.toEqual([])
      for (const code of operation.errors.filter((code) => code !== 'VALIDATION_FAILED')) {
        expect(contentOf(responses[errors[code].status]).examples, name).toHaveProperty(code)
      }
      const { unreadable, ...faults } = { ...operation.body?.faults }
      for (const [fault, status] of Object.entries({
        ...faults,
        ...(unreadable && { empty: unreadable, notJson: unreadable }),
      })) {
        expect(contentOf(responses[status]).examples, name).toHaveProperty(fault)
      }
    }
  })

  test('has the operational errors of each operation: 403 on changes, 429 where the rate is limited', () => {
    for (const name of operationNames) {
      const { responses } = described(name)
      const { method, rateLimited, errors: codes }: Operation = operations[name]
      const statuses = [
        ...(method === 'GET' && codes.every((code) => errors[code].status !== 403) ? [] : ['403']),
        ...(rateLimited ? ['429'] : []),
        ...['500', '503', 'default'],
      ]
      expect(
        Object.keys(responses).filter((status) => /^(403|429|5..|default)$/.test(status)),
        name,
      ).toEqual(statuses)
    }
  })

  test('describes the 400 of a request that is not valid HTTP wherever an operation has a 400 of its own', () => {
    for (const name of ['createProject', 'updateProject', 'joinWaitlist'] as const) {
      expect(contentOf(described(name).responses[400]).examples, name).toHaveProperty('notHttp')
    }
    expect(described('listProjects').responses).not.toHaveProperty('400')
  })

  test('has the short error body for every failure of its operations, and for no other (section 7)', () => {
    for (const name of operationNames) {
      const { responses } = described(name)
      for (const [status, response] of Object.entries(responses)) {
        if (/^2/.test(status)) continue
        const shown = '$ref' in response ? document.components.responses[nameIn(response.$ref)] : response
        const { schema, examples } = contentOf(shown)
        const isShort = /getSession|joinWaitlist/.test(name)
        expect(JSON.stringify(schema).includes('/ShortErrorBody"'), `${name} ${status}`).toBe(isShort)
        for (const { value } of Object.values(examples)) {
          expect(Object.keys(value as object).length === 1, `${name} ${status}`).toBe(isShort)
        }
      }
    }
  })

  test('has the text of the two documented errors of the waitlist (section 4.5)', () => {
    for (const status of [400, 422]) {
      const { examples } = contentOf(described('joinWaitlist').responses[status])
      const { notHttp: _, ...own } = examples
      expect(Object.keys(own)).not.toEqual([])
      for (const { value } of Object.values(own)) expect(value).toEqual({ error: 'email_required' })
    }
  })

  test('has only codes of the error catalogue', () => {
    const named = describeInterface('json').matchAll(/"code": "(\w+)"/g)
    const known = Object.keys({ ...interfaceErrors, ...operationalErrors })
    expect([...named].map(([, code]) => code).filter((code) => !known.includes(code ?? ''))).toEqual([])
  })
})
