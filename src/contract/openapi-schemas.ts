import * as z from 'zod'
import * as schemas from './schemas.js'

/** The parts of a JSON Schema (draft 2020-12) that the readers of the document use. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: readonly string[]
  [keyword: string]: unknown
}
export type Example = { summary?: string; value: unknown }
export type Content = { 'application/json': { schema: JsonSchema; examples: Record<string, Example> } }
export type DescribedResponse = { description: string; headers?: object; content?: Content }

export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** Content of the only media type of the interface. */
export const json = (schema: JsonSchema, examples: Record<string, Example>): Content => ({
  'application/json': { schema, examples },
})

/** The exported schemas of the contract with their names, sorted by name. */
const named = Object.entries(schemas)
  .flatMap(([name, schema]): [string, z.ZodType][] => (schema instanceof z.ZodType ? [[name, schema]] : []))
  .sort(([a], [b]) => (a < b ? -1 : 1))

export function schemaRef(schema: z.ZodType): JsonSchema {
  const name = named.find(([, candidate]) => candidate === schema)?.[0]
  if (!name) throw new Error('A schema of the operations table is not exported by name.')
  return ref('schemas', name)
}

/** The exported schemas as JSON Schemas that refer to each other. */
export function componentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of named) registry.add(schema, { id })
  const converted = z.toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}` })
  return Object.fromEntries(
    Object.entries(converted.schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [
      id,
      schema as JsonSchema,
    ]),
  )
}
