import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import * as z from 'zod'

/**
 * The schema of a tool, for clients as JSON Schema alone: without the words of commands, the bounds of every whole number of
 * JavaScript, and the texts of numbers that queries have.
 */
export function schemaOf<Schema extends z.ZodObject>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const jsonSchema = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema: part }) {
      delete part.value
      delete part.help
      if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum
      if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum
      const [first, second] = part.anyOf ?? []
      if (first?.type === 'integer' && second?.pattern?.startsWith('^\\d')) {
        delete part.anyOf
        Object.assign(part, first)
      }
    },
  })
  delete jsonSchema.$schema
  const convert = () => jsonSchema
  const standard = { ...schema['~standard'], jsonSchema: { input: convert, output: convert } }
  return { '~standard': standard } as StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>>
}
