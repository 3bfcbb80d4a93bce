import * as z from 'zod'
import { sessionCookie } from './cookie.js'
import { interfaceVersion } from './interface-version.js'
import { failures, sharedResponses } from './openapi-failures.js'
import {
  type Content,
  componentSchemas,
  type DescribedResponse,
  type JsonSchema,
  json,
  schemaRef,
} from './openapi-schemas.js'
import { type Operation, type OperationName, operationNames, operations } from './operations.js'

const description = `The projects of a team, the caller's session bundle, and an early-access waitlist.

The cookie \`session\` identifies the caller. It resolves to a user, an organisation (by an organisation code) and a
team; projects belong to a team. Every body is JSON. Every error has a code and a link to a page about the code, except
for the session and waitlist operations, whose errors are \`{ "error": … }\`.`

const tags: Record<Operation['tag'], string> = {
  Projects: 'The projects of the team.',
  Session: 'Who the caller is, and what they may do.',
  Waitlist: 'Early access, without a session.',
}

export type Parameter = {
  name: string
  in: 'path' | 'query'
  required: boolean
  description: string
  schema: JsonSchema
  example?: unknown
}

export type DescribedOperation = {
  operationId: OperationName
  tags: string[]
  summary: string
  description: string
  'x-section': string
  security: object[]
  parameters?: Parameter[]
  requestBody?: { required: true; content: Content }
  responses: Record<string, DescribedResponse | { $ref: string }>
}
export type OpenApiDocument = ReturnType<typeof openApiDocument>

/**
 * The interface as an OpenAPI 3.1 document, made from the operations table and the schemas.
 * @param prefix the prefix of the paths at the server of the document
 */
export function openApiDocument(prefix = '') {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Team Project Dashboard Service',
      version: interfaceVersion,
      description,
      contact: { name: 'The dashboard-api project' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    ...(prefix !== '' && { servers: [{ url: prefix }] }),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths(),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description: "Carries the organisation code, which resolves to the caller's team.",
        },
      },
      schemas: componentSchemas(),
      responses: sharedResponses(),
    },
  }
}

function paths() {
  const result: Record<string, Record<string, DescribedOperation>> = {}
  for (const name of operationNames) {
    const { method, path } = operations[name]
    result[path] = { ...result[path], [method.toLowerCase()]: describe(name, operations[name]) }
  }
  return result
}

const describe = (name: OperationName, operation: Operation): DescribedOperation => ({
  operationId: name,
  tags: [operation.tag],
  summary: operation.summary,
  description: operation.permission
    ? `${operation.description} Requires the permission ${operation.permission}.`
    : operation.description,
  'x-section': operation.section,
  security: operation.access === 'public' ? [] : [{ session: [] }],
  ...((operation.params || operation.query) && { parameters: parametersOf(operation) }),
  ...(operation.body && { requestBody: { required: true, content: content(operation.body) } }),
  responses: {
    [operation.success.status]: { description: 'Success.', ...contentOf(operation.success) },
    ...failures(operation),
  },
})

function parametersOf({ params = {}, query }: Operation): Parameter[] {
  const { properties = {}, required = [] }: JsonSchema = query
    ? (z.toJSONSchema(query.schema, { io: 'input' }) as JsonSchema)
    : {}
  const example: Record<string, unknown> = { ...query?.example }
  return [
    ...Object.entries(params).map(([name, { description, example }]): Parameter => {
      return { name, in: 'path', required: true, description, schema: { type: 'string' }, example }
    }),
    ...Object.entries(properties).map(([name, { description = '', ...schema }]): Parameter => {
      return {
        name,
        in: 'query',
        required: required.includes(name),
        description,
        schema,
        example: example[name],
      }
    }),
  ]
}

/** Empty for a success without a body. */
const contentOf = ({ schema, example }: Operation['success']): { content?: Content } =>
  schema ? { content: content({ schema, example }) } : {}

const content = ({ schema, example }: { schema: z.ZodType; example?: unknown }): Content =>
  json(schemaRef(schema), { typical: { value: example } })
