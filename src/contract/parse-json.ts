import type * as z from 'zod'

/** The value of a JSON text; undefined for an invalid text, or a value that the schema refuses. */
export function parseJson<Value = unknown>(text: string, schema?: z.ZodType<Value>): Value | undefined {
  try {
    const value = JSON.parse(text)
    return schema ? schema.safeParse(value).data : value
  } catch {
    return undefined
  }
}
