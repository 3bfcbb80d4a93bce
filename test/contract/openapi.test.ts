import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { describeInterface } from '../../src/cli/describe-interface.js'
import { openApiDocument } from '../../src/contract/openapi.js'
import type { DescribedResponse } from '../../src/contract/openapi-schemas.js'
import { operationNames, operations } from '../../src/contract/operations.js'

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

  test('has the short error body for the failures of two operations, and the full one for others (section 7)', () => {
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
})
