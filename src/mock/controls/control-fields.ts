import * as z from 'zod'
import { stateKinds } from '../../store/state-file.js'

/** How the command has a field: the name of the option's value, and a description in other words. */
export type OfCommand = { value?: string; help?: string }
const meta = (description: string, { value, help }: OfCommand = {}) => ({ description, value, help })
const text = (description: string, command?: OfCommand) => z.string().meta(meta(description, command))
const optional = (description: string, command?: OfCommand) => text(description, command).optional()
const bounded = (min: number, max: number, error = `Expected a whole number from ${min} to ${max}.`) =>
  z.int(error).min(min, error).max(max, error)
const wholeNumber = bounded(1, Number.MAX_SAFE_INTEGER, 'Expected a whole number from 1.')
/** A query has it as text. */
const digits = z.string().regex(/^\d{1,15}$/)
const entryId = meta('the id of a request in the log', {
  help: 'the id of a request, as "mock log" shows it',
})

/** An object whose error for an unknown field names the fields that it has. */
const strict = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject(fields, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Unknown: ${issue.keys.join(', ')}. Possible: ${Object.keys(fields).join(', ') || 'no field'}.`
        : undefined,
  })

/** The words in which the inputs of the controls are described. A file of controls takes them, and loads no schemas. */
export const fieldWords = {
  ...{ z, meta, text, optional, bounded, wholeNumber, strict },
  nothing: strict({}),
  flag: (description: string) => z.boolean().describe(description).optional(),
  count: z.union([z.int().min(0), digits.transform(Number)], 'Expected a whole number from 0.'),
  outcome: z.union([z.string(), z.int()]),
  milliseconds: z.union([z.string(), z.number()]),
  target: optional(
    'only this operation or handler, e.g. createProject, "POST /v1/projects" or "GET /api/invoices/:id"',
  ),
  named: strict({ name: text('1 to 64 letters, digits and . _ -') }),
  entryId,
  entry: wholeNumber.meta(entryId),
  personaId: text('its name: the value of the session cookie'),
  kind: z.enum(stateKinds).describe('the kind of record'),
  key: text('the id of the record; of a waitlist entry, its address'),
  fields: z
    .looseObject({})
    .meta(meta('the values of fields by their names', { help: 'NAME=TEXT, or NAME:=JSON' })),
}

export type FieldWords = typeof fieldWords
