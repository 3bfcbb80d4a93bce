import type * as z from 'zod'

/** The value of a JSON text; undefined for a text that is no JSON, or whose value the schema refuses. */
export function parseJson<Value>(text: string, schema: z.ZodType<Value>): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
