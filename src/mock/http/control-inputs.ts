import * as z from 'zod'
import { stateKinds } from '../../store/state-file.js'

// The schemas of the controls. Their descriptions and errors are those of the commands too, as are flags that are not
// named as the fields.

const wholeNumber = z.int('Expected a whole number from 1.').min(1, 'Expected a whole number from 1.')
export const operation = z
  .string()
  .describe('only this operation or handler, e.g. createProject or "GET /api/invoices/:id"')
  .optional()
export const scenario = z.strictObject({
  target: z
    .string()
    .describe('e.g. createProject or "GET /api/invoices/:id"; or a named scenario: empty, duplicate-names'),
  outcome: z
    .union([z.string(), z.int()])
    .describe('an error code, a status such as 500, drop (closes the connection), or hang (no response)')
    .optional(),
  response: z
    .strictObject({
      status: z.int().optional(),
      body: z.unknown().optional(),
      text: z.string().optional(),
      contentType: z.string().optional(),
      unchecked: z.boolean().optional(),
    })
    .optional(),
  times: wholeNumber.describe('end after this many requests').optional(),
  session: z.string().meta({ description: 'only for this persona', flags: '--session <persona>' }).optional(),
})
export const delay = z.strictObject({
  ms: z
    .union([z.string(), z.number(), z.null()])
    .describe('milliseconds, e.g. 300, or a range, e.g. 200-800'),
  operation,
})
export const chaos = z.strictObject({
  errorRate: z
    .number('Expected a number from 0 to 1, e.g. 0.1.')
    .meta({ description: 'the part of the requests that fail, e.g. 0.1', flags: '--error-rate <rate>' })
    .optional(),
  delay: z
    .union([z.string(), z.number()])
    .describe('milliseconds, e.g. 300, or a range, e.g. 200-2000')
    .optional(),
  seed: z
    .number('Expected a whole number, e.g. 1.')
    .describe('repeat what this seed drew (default: the seed of the mock, else any)')
    .optional(),
  outcomes: z
    .array(z.union([z.string(), z.int()]))
    .meta({
      description:
        'how requests fail: error codes, statuses, drop, hang (default: INTERNAL_ERROR and SERVICE_UNAVAILABLE)',
      flags: '--outcome <outcome...>',
    })
    .optional(),
  operation,
})
export const clock = z.strictObject({
  at: z.string().describe('with its zone, e.g. 2026-01-01T00:00:00Z').optional(),
  ticking: z.boolean().describe('let the clock run from that time').optional(),
})
export const named = z.strictObject({ name: z.string().describe('letters, digits and . _ -') })
/** In a query it is a text. */
export const count = z.union(
  [
    z.int(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ],
  'Expected a whole number.',
)
export const entry = wholeNumber.describe('the id of a request, as "log" shows it')
export const request = z.strictObject({
  id: entry,
  method: z.string().describe('another method').optional(),
  path: z.string().describe('another path').optional(),
  body: z.string().describe('another body').optional(),
  session: z
    .string()
    .nullable()
    .meta({ description: 'send it as this persona', flags: '--session <persona>' })
    .optional(),
})

export const personaId = z.string().describe('its name: the value of the session cookie')
export const persona = z.strictObject({
  id: personaId,
  email: z.string().describe('the address of its user').optional(),
  givenName: z.string().describe('the given name of its user').optional(),
  familyName: z.string().describe('the family name of its user').optional(),
  orgCode: z
    .string()
    .meta({
      description: 'its organisation code; without it and --team, it has no organisation',
      flags: '--organization <code>',
    })
    .optional(),
  teamName: z
    .string()
    .meta({
      description: 'the name of the team to add, if the organisation has none',
      flags: '--team <name>',
    })
    .optional(),
  permissions: z
    .array(z.string())
    .meta({
      description: 'separated by commas; "" for none (default: those of every operation)',
      flags: '--permissions <list>',
    })
    .optional(),
  role: z.string().describe('its role in the session bundle').optional(),
  note: z.string().describe('a short description').optional(),
})
export const kind = z.enum(stateKinds).describe('the kind of record')
export const key = z.string().describe('the id of the record; of a waitlist entry, its address')
export const records = z.strictObject({
  kind,
  search: z.string().describe('only those with this text in a field, in any case').optional(),
  sort: z.string().describe('sort by this field; with - before it, descending').optional(),
  offset: count.describe('skip this many').optional(),
  limit: count.describe('list this many at most').optional(),
})
export const fields = z.looseObject({}).describe('NAME=TEXT, or NAME:=JSON')
