import type * as z from 'zod'
import type { InterfaceErrorCode } from './errors.js'
import type { ExceededLimit } from './limits.js'

/** The response status of each fault of a request body. */
export type BodyFaults = {
  /** The content type is not application/json. */
  mediaType: number
  /** More bytes than `maxBodyBytes`. */
  tooLarge: number
  /** Empty, not UTF-8, or not JSON. */
  unreadable: number
  /** JSON, but not an object. */
  notAnObject: number
  /** An object that breaks the schema. */
  invalid: number
}

/** An entry of the operations table, for adapters, documents and suites. */
export type Operation = {
  section: string
  tag: 'Projects' | 'Session' | 'Waitlist'
  summary: string
  description: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/v1/${string}`
  /** The path parameters by name. */
  params?: Record<string, { description: string; example: string }>
  /** The query parameters. An operation without an entry ignores the query string. */
  query?: { schema: z.ZodObject; example: object }
  /** `public`: no session; `session`: any session; `team`: a session whose organisation has a team. */
  access: 'public' | 'session' | 'team'
  permission?: string
  /** The team limits that a write may exceed. */
  teamLimits?: readonly ExceededLimit[]
  /**
   * The dependencies of a successful response that may be cached. `team`: only the rows of the caller's team, so that its
   * members share the response. `session`: also the caller's session and user. Without it the response is never cached.
   */
  cache?: 'team' | 'session'
  body?: { schema: z.ZodType; example: unknown; faults: BodyFaults }
  /** Without a schema, the success has no body, as 204. */
  success: { status: number; schema?: z.ZodType; example?: unknown }
  /** The codes that the operation may return. A handler that returns another code does not compile. */
  errors: readonly InterfaceErrorCode[]
  /** Section 7: `short` is `{ error }` alone, for every error at the path, see `errorFormAt`. */
  errorForm: 'full' | 'short'
  /** Fixed texts of the operation's own errors, by status. */
  errorTexts?: { [status: number]: string }
}

/** The request body of an operation. Its type validates the example. */
export const requestBody = <Schema extends z.ZodType, const Faults extends BodyFaults>(
  schema: Schema,
  example: z.input<Schema>,
  faults: Faults,
) => ({ schema, example, faults })

/** The query parameters of an operation. A repeated parameter is a list of texts. Its type validates the example. */
export const queryParameters = <Schema extends z.ZodObject>(schema: Schema, example: z.input<Schema>) => ({
  schema,
  example,
})

/** The successful response of an operation. Its type validates the example. */
export const response = <const Status extends number, Schema extends z.ZodType>(
  status: Status,
  schema: Schema,
  example: z.output<Schema>,
) => ({ status, schema, example })
