import type { FastifyInstance, FastifySchema } from 'fastify'
import { openApiDocument } from '../contract/openapi.js'
import { operationNames, operations } from '../contract/operations.js'

/**
 * Describes the routes of a scope for the application's @fastify/swagger: the operations, with their schemas in place. The
 * other routes, such as sign-in, are hidden. The schemas validate nothing: the pipeline does.
 * @param hasOperations whether to list the operations
 */
export function describeRoutes(app: FastifyInstance, hasOperations: boolean): void {
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  const schemas = hasOperations ? operationSchemas() : new Map<string, FastifySchema>()
  app.addHook('onRoute', (route) => {
    route.schema = schemas.get(route.config?.operation ?? '') ?? ({ hide: true } as FastifySchema)
  })
}

function operationSchemas(): Map<string, FastifySchema> {
  const { paths, components } = openApiDocument()
  const inPlace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inPlace)
    if (!(value instanceof Object)) return value
    const { $ref } = value as { $ref?: string }
    if ($ref === undefined) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, inPlace(v)]))
    const [, kind, name] = $ref.slice(2).split('/')
    return inPlace(components[kind as 'schemas'][name as string])
  }
  return new Map(
    operationNames.map((name) => {
      const { method, path, params = {} } = operations[name] as Described
      const described = paths[path]?.[method.toLowerCase()]
      if (!described) throw new Error(`The document has no ${name}`)
      const { operationId, tags, summary, description, requestBody, responses } = described
      const schema = { operationId, tags, summary, description, ...paramsOf(params) }
      const body = requestBody && { body: { content: inPlace(requestBody.content) } }
      return [name, { ...schema, ...body, response: inPlace(responses) } as FastifySchema]
    }),
  )
}

type Described = { method: string; path: string; params?: Record<string, { description: string }> }

const paramsOf = (params: NonNullable<Described['params']>) => {
  const properties = Object.entries(params).map(([name, { description }]) => [
    name,
    { type: 'string', description },
  ])
  return properties.length > 0
    ? { params: { type: 'object', properties: Object.fromEntries(properties) } }
    : {}
}
