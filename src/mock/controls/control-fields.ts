import * as z from 'zod'
import { stateKinds } from '../../store/state-file.js'
import { faults, statusPattern } from '../log/filter-rules.js'

/**
 * How the command has a field: the name of the option's value, and a description in other words. The tools of agents are a part
 * of each of their conversations: where the name of a field says all, it has no other description than that of the command.
 */
export type OfCommand = { value?: string; help?: string }
const meta = (description: string, { value, help }: OfCommand = {}) => ({ description, value, help })
const text = (description: string, command?: OfCommand) => z.string().meta(meta(description, command))
const optional = (description: string, command?: OfCommand) => text(description, command).optional()
const bounded = (min: number, max: number, error = `Expected a whole number from ${min} to ${max}.`) =>
  z.int(error).min(min, error).max(max, error)
const wholeNumber = bounded(1, Number.MAX_SAFE_INTEGER, 'Expected a whole number from 1.')
/** A query has it as text. */
const digits = z.string().regex(/^\d{1,15}$/)
const entryId = meta('', {
  help: 'the id of a request, as "mock log" shows it',
})

/** Whether the value of a field is an object that has a field of this name. */
const hasField = (schema: unknown, name: string): boolean =>
  schema instanceof z.ZodOptional
    ? hasField(schema.unwrap(), name)
    : schema instanceof z.ZodObject && Object.hasOwn(schema.shape, name)

/** An unknown field, with the object to which it belongs. */
function placed(name: string, fields: z.ZodRawShape): string {
  const owner = Object.keys(fields).find((each) => hasField(fields[each], name))
  return owner === undefined ? name : `${name} (a field of ${owner})`
}

/** An object whose error for an unknown field names the fields that it has. */
const strict = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject(fields, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Unknown: ${issue.keys.map((key) => placed(key, fields)).join(', ')}. Possible: ${Object.keys(fields).join(', ') || 'no field'}.`
        : undefined,
  })

/** A whole number, also as text. A union passes the error of its only member that fits on: each has the same. */
const numberFrom = (min: number, error: string) =>
  z.union([z.int(error).min(min, error), digits.transform(Number).pipe(z.int().min(min, error))], error)
const count = numberFrom(0, faults.count)
const countFrom1 = numberFrom(1, faults.limit)
/** Fields that choose requests of the log. */
const status = z
  .union([z.int(), z.string()], faults.status)
  .refine((value) => statusPattern.test(String(value)), faults.status)
  .meta(meta('409, or 4xx', { value: 'status', help: '409, or 4xx for all of them' }))
  .optional()
const session = optional('a persona, or "signed out"', {
  value: 'persona',
  help: 'only of this persona, or "signed out"',
})

/** The words in which the inputs of the controls are described. A file of controls takes them, and loads no schemas. */
export const fieldWords = {
  // By name: a bundle of the whole of zod has its messages in every language, which take 60 ms to load.
  z: { array: z.array, number: z.number, record: z.record, string: z.string, unknown: z.unknown },
  ...{ meta, text, optional, bounded, wholeNumber, strict },
  nothing: strict({}),
  flag: (description: string, command?: OfCommand) => z.boolean().meta(meta(description, command)).optional(),
  /** The same in a query, which has it as text. */
  queryFlag: (description: string) =>
    z.union([z.boolean(), z.stringbool()], 'Expected true or false.').describe(description).optional(),
  count,
  countFrom1,
  chosen: {
    status,
    session,
    since: count.meta(meta('only after this id', { help: 'only after the request with this id' })).optional(),
  },
  outcome: z.union([z.string(), z.int()], 'Expected an outcome, as PROJECT_NAME_TAKEN, 409 or drop.'),
  milliseconds: z.union([z.string(), z.number()], 'Expected milliseconds, as 300 or 200-800.'),
  target: optional('default: all', {
    help: 'only this operation or handler, e.g. createProject, "POST /v1/projects" or "GET /api/invoices/:id"',
  }),
  named: strict({ name: text('', { help: '1 to 64 letters, digits and . _ -' }) }),
  entryId,
  entry: wholeNumber.meta(entryId),
  personaId: text('its name', { help: 'its name: the value of the session cookie' }),
  kind: z.enum(stateKinds).meta(meta('', { help: 'the kind of record' })),
  key: text('its id; of a waitlist entry, its address', {
    help: 'the id of the record; of a waitlist entry, its address',
  }),
  fields: z.looseObject({}).meta(meta('values by the names of fields', { help: 'NAME=TEXT, or NAME:=JSON' })),
}

export type FieldWords = typeof fieldWords
