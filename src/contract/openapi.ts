import { sessionCookie } from './cookie.js'
import { errorExample, pathExamples, requestExamples, successExamples } from './openapi-examples.js'
import { failures, sharedResponses, withCodes } from './openapi-failures.js'
import {
  type Content,
  componentSchemas,
  type DescribedResponse,
  json,
  ref,
  schemaRef,
} from './openapi-schemas.js'
import { about, operationTexts, paramTexts, tags } from './openapi-texts.js'
import { type Operation, type OperationName, operationNames, operations } from './operations.js'

export type DescribedOperation = {
  operationId: OperationName
  tags: string[]
  summary: string
  description: string
  'x-section': string
  security: object[]
  parameters?: ReturnType<typeof parameter>[]
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
      version: '0.1.0',
      description: about,
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
          description: 'Carries the organisation code, which leads to the team of the caller.',
        },
      },
      schemas: componentSchemas(),
      responses: {
        ...sharedResponses(),
        Unreadable: {
          description: 'The request could not be read as HTTP, or did not arrive in time.',
          content: json(withCodes('ErrorBody', ['VALIDATION_FAILED']), {
            VALIDATION_FAILED: { value: errorExample('VALIDATION_FAILED') },
          }),
        },
      },
    },
  }
}

function paths() {
  const found: Record<string, Record<string, DescribedOperation>> = {}
  for (const name of operationNames) {
    const { method, path } = operations[name]
    found[path] = { ...found[path], [method.toLowerCase()]: describe(name) }
  }
  return found
}

function describe(name: OperationName): DescribedOperation {
  const operation: Operation = operations[name]
  const { tag, description } = operationTexts[name]
  const params = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param)
  return {
    operationId: name,
    tags: [tag],
    summary: operation.summary,
    description,
    'x-section': operation.section,
    security: operation.access === 'public' ? [] : [{ session: [] }],
    ...(params.length > 0 && { parameters: params.map(parameter) }),
    ...(operation.body && {
      requestBody: {
        required: true,
        content: json(schemaRef(operation.body.schema), {
          typical: { value: requestExamples[name as keyof typeof requestExamples] },
        }),
      },
    }),
    responses: {
      [operation.success.status]: {
        description: 'Success.',
        content: json(schemaRef(operation.success.schema), { typical: { value: successExamples[name] } }),
      },
      ...failures(operation),
      default: ref('responses', 'Unreadable'),
    },
  }
}

const parameter = (name: string) => ({
  name,
  in: 'path',
  required: true,
  description: paramTexts[name] ?? '',
  schema: { type: 'string' },
  example: pathExamples[name],
})
