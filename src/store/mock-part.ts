import * as z from 'zod'
import { avoidEval } from '../contract/avoid-eval.js'

// What a state file has beside records: the settings of a mock, its snapshots and its log. The mock itself checks the values.

const restore = avoidEval()

const body = z.strictObject({
  length: z.int().min(0),
  text: z.string().optional(),
  base64: z
    .string()
    .regex(/^[A-Za-z0-9+/]*={0,2}$/)
    .optional(),
})
const headers = z.record(z.string(), z.string())

/** A request of the log. Fields that it may have beside these are those of the log. */
const LoggedRequest = z.looseObject({
  time: z.iso.datetime(),
  method: z.string(),
  path: z.string(),
  target: z.string(),
  kind: z.enum(['operation', 'handler', 'unanswered']),
  status: z.int().min(0).max(999),
  why: z.string(),
  ms: z.number(),
  exchange: z.strictObject({
    request: z.strictObject({
      url: z.url(),
      headers,
      cookie: z.string().optional(),
      body: body.optional(),
    }),
    response: z.strictObject({ headers, body: body.omit({ base64: true }).optional() }).optional(),
  }),
})

export const MockPart = z.strictObject({
  /** The persona of `session=active`; null if it is signed out. */
  persona: z.string().nullable().optional(),
  forced: z.array(z.looseObject({ target: z.string() })).optional(),
  delay: z.strictObject({ all: z.string(), operations: z.record(z.string(), z.string()) }).optional(),
  chaos: z
    .strictObject({ all: z.looseObject({}).optional(), operations: z.record(z.string(), z.looseObject({})) })
    .optional(),
  clock: z.strictObject({ at: z.string(), ticking: z.boolean().optional() }).optional(),
  /** State files by their names. */
  snapshots: z.record(z.string(), z.unknown()).optional(),
  /** Oldest first. */
  log: z.array(LoggedRequest).optional(),
})
export type MockPart = z.infer<typeof MockPart>

restore()
