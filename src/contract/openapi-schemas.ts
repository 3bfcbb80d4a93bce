import * as z from 'zod'
import { fieldTexts } from './openapi-texts.js'
import * as schemas from './schemas.js'

/** A JSON Schema of draft 2020-12, as far as the document's readers look into it. */
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
export type DescribedResponse = { description: string; headers?: object; content: Content }
/** A reference to a component. */
export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
/** The one media type that there is. */
export const json = (schema: JsonSchema, examples: Record<string, Example>): Content => ({
  'application/json': { schema, examples },
})

/** The schemas by the names under which the contract exports them, in the order of the names. */
const named = Object.entries(schemas)
  .flatMap(([name, schema]): [string, z.ZodType][] => (schema instanceof z.ZodType ? [[name, schema]] : []))
  .sort(([a], [b]) => (a < b ? -1 : 1))

/** A reference to one of them. */
export function schemaRef(schema: z.ZodType): JsonSchema {
  const name = named.find(([, one]) => one === schema)?.[0]
  if (!name) throw new Error('A schema of the operations table is not exported by name.')
  return ref('schemas', name)
}

/** All of them as JSON Schemas, which refer to each other. */
export function componentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of named) registry.add(schema, { id })
  const made = z.toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}` })
  return Object.fromEntries(
    Object.entries(made.schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [
      id,
      explained(id, schema as JsonSchema),
    ]),
  )
}

/** A schema with what each of its fields means. */
const explained = (id: string, schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([field, of]) => {
      const description = fieldTexts[id]?.[field]
      return [field, description ? { ...of, description } : of]
    }),
  ),
})
