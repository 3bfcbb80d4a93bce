import { sessionCookie } from './cookie.js'
import { interfaceVersion } from './interface-version.js'
import { failures, sharedResponses } from './openapi-failures.js'
import { type Content, componentSchemas, type DescribedResponse, json, schemaRef } from './openapi-schemas.js'
import { type Operation, type OperationName, operationNames, operations } from './operations.js'

const description = `The projects of a team, the caller's session bundle, and an early-access waitlist.

The cookie \`session\` identifies the caller. It resolves to a user, an organisation (by an organisation code) and a
team; projects belong to a team. Every body is JSON. Every error has a code and a link to a page about the code, except
for the session and waitlist operations, whose errors are \`{ "error": … }\`.`

/** The groups that operations are shown in. */
const tags: Record<Operation['tag'], string> = {
  Projects: 'The projects of the team.',
  Session: 'Who the caller is, and what they may do.',
  Waitlist: 'Early access, without a session.',
}

export type DescribedOperation = {
  operationId: OperationName
  tags: string[]
  summary: string
  description: string
  'x-section': string
  security: object[]
  parameters?: { name: string; description: string; [keyword: string]: unknown }[]
  requestBody?: { required: true; content: Content }
  responses: Record<string, DescribedResponse | { $ref: string }>
}
export type OpenApiDocument = ReturnType<typeof openApiDocument>

/** The interface as an OpenAPI 3.1 document, made from the operations table and the schemas. */
export function openApiDocument() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Team Project Dashboard Service',
      version: interfaceVersion,
      description,
      contact: { name: 'The dashboard-api project' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
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
  ...(operation.params && {
    parameters: Object.entries(operation.params).map(([name, { description, example }]) => ({
      name,
      in: 'path',
      required: true,
      description,
      schema: { type: 'string' },
      example,
    })),
  }),
  ...(operation.body && { requestBody: { required: true, content: content(operation.body) } }),
  responses: {
    [operation.success.status]: { description: 'Success.', content: content(operation.success) },
    ...failures(operation),
  },
})

const content = ({ schema, example }: Pick<Operation['success'], 'schema' | 'example'>): Content =>
  json(schemaRef(schema), { typical: { value: example } })
