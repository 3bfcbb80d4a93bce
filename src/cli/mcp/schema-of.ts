import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { jsonOrText } from '../../mock/log/logged-call.js'

type JsonSchema = { [keyword: string]: unknown }

/** Keywords that say nothing to a client: words of commands, an object without rules, names that are any text. */
const left = new Set(['$schema', 'value', 'help', 'propertyNames'])

/**
 * The schema of a tool, for clients as JSON Schema alone. It is a part of every conversation, and is as short as it can be:
 * without the bounds of every whole number of JavaScript, and without the texts of numbers and booleans that queries have. The
 * server refuses unknown fields, with the known ones, and no schema says so. Some clients send a number, null or an object as
 * the text of its JSON: a field that takes no text takes that, and `null` is null where a field takes it.
 */
export function schemaOf<Schema extends z.ZodObject>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const jsonSchema = simplified(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema)
  const convert = () => jsonSchema
  const fields = Object(jsonSchema.properties) as Record<string, JsonSchema>
  const withValues = (input: unknown) =>
    Object.fromEntries(
      Object.entries(Object(input)).map(([name, value]) => [name, fieldValue(fields[name], value)]),
    )
  const standard = {
    ...schema['~standard'],
    validate: (input: unknown) => schema['~standard'].validate(withValues(input)),
    jsonSchema: { input: convert, output: convert },
  }
  return { '~standard': standard } as StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>>
}

/** The value of a field: that of its JSON, if the field takes no text; null, if it takes that. */
function fieldValue({ type }: JsonSchema = {}, value: unknown): unknown {
  const takes = (name: string) => [type].flat().includes(name)
  if (value === 'null' && takes('null')) return null
  return typeof value === 'string' && type && !takes('string') ? jsonOrText(value) : value
}

function simplified(schema: JsonSchema): JsonSchema {
  const { anyOf, properties, type, ...others } = schema
  const kept = Object.entries(others).filter(([name, value]) => !left.has(name) && !isEmpty(name, value))
  return {
    ...(type !== undefined && { type: String(type) === 'boolean,string' ? 'boolean' : type }),
    ...(anyOf !== undefined && choice((anyOf as JsonSchema[]).map(simplified))),
    ...Object.fromEntries(
      kept.map(([name, value]) => [name, name === 'items' ? simplified(Object(value)) : value]),
    ),
    ...(Object.keys(Object(properties)).length > 0 && {
      properties: mapped(properties as Record<string, JsonSchema>),
    }),
  }
}

const mapped = (properties: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, simplified(field)]))

const isEmpty = (name: string, value: unknown): boolean =>
  (name === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (name === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  (name === 'additionalProperties' && (value === false || JSON.stringify(value) === '{}')) ||
  (name === 'description' && value === '')

/** One of several types: a value or null as one schema, a value or its text in a query as the value. */
function choice(parts: JsonSchema[]): JsonSchema {
  const [first = {}, second = {}] = parts
  if (parts.length === 2 && second.type === 'null') return { ...first, type: [first.type, 'null'].flat() }
  // Where a number and a text are no other than these types, the description says which.
  if (parts.every(({ type, minimum }) => typeof type === 'string' && minimum === undefined))
    return { type: parts.map(({ type }) => type) }
  const isText = second.type === 'string' && String(second.pattern).startsWith('^\\d')
  return parts.length === 2 && isText ? first : { anyOf: parts }
}
