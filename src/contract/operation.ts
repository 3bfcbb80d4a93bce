import type * as z from 'zod'
import type { InterfaceErrorCode } from './errors.js'
import type { ExceededLimit } from './limits.js'

/** What can be wrong with a request body, and the response status of each fault. */
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

/** One entry of the operations table: everything that adapters, documents and suites need to know. */
export type Operation = {
  /** The section of the interface that the operation implements. */
  section: string
  tag: 'Projects' | 'Session' | 'Waitlist'
  summary: string
  description: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/v1/${string}`
  /** The path parameters, by their names in `path`. */
  params?: Record<string, { description: string; example: string }>
  /** The query parameters. An operation without an entry ignores the query string. */
  query?: { schema: z.ZodObject; example: object }
  /** `public`: no session; `session`: any session; `team`: a session whose organisation has a team. */
  access: 'public' | 'session' | 'team'
  permission?: string
  /** The limits of a team that a write may exceed. */
  teamLimits?: readonly ExceededLimit[]
  /**
   * What a response of success depends on, if it may be cached: `team`, on the rows of the caller's team alone, so that it
   * is the same for all its members; `session`, on the caller's session and user too. Left out: on other things as well,
   * such as the time, and it is made anew for each request.
   */
  cache?: 'team' | 'session'
  body?: { schema: z.ZodType; example: unknown; faults: BodyFaults }
  /** Without a schema: a success without a body, such as 204. */
  success: { status: number; schema?: z.ZodType; example?: unknown }
  /** The codes that the operation may return; a handler that returns another one does not compile. */
  errors: readonly InterfaceErrorCode[]
  /** Section 7: `short` is `{ error }` alone. It holds for every error at the path, see `errorFormAt`. */
  errorForm: 'full' | 'short'
  /** The texts of the operation's own errors that the interface fixes, by status. */
  errorTexts?: { [status: number]: string }
}

/** The request body of an operation. The example is held to the schema by its type. */
export const requestBody = <Schema extends z.ZodType, const Faults extends BodyFaults>(
  schema: Schema,
  example: z.input<Schema>,
  faults: Faults,
) => ({ schema, example, faults })

/**
 * The query parameters of an operation. A parameter is a text, or a list of texts where it is sent several times. The
 * example is held to the schema by its type.
 */
export const queryParameters = <Schema extends z.ZodObject>(schema: Schema, example: z.input<Schema>) => ({
  schema,
  example,
})

/** The successful response of an operation. The example is held to the schema by its type. */
export const response = <const Status extends number, Schema extends z.ZodType>(
  status: Status,
  schema: Schema,
  example: z.output<Schema>,
) => ({ status, schema, example })
