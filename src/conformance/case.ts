import type { Project, SessionBundle } from '../contract/schemas.js'
import type { Caller } from './callers.js'

export type Mode = 'mock' | 'production'

/**
 * A promise of the service to its users, over HTTP. A case reads like the sentence of the interface that it checks. It
 * assumes nothing about the data of the service, and changes only records that it has created.
 */
export type Case = {
  title: string
  /** The section of the interface, e.g. `4.1 create a project`, or a decision where the interface is silent. */
  requirement: string
  /** The mode that it is about; left out: both. */
  mode?: Mode
  /** Whether it sends more than GET and HEAD. */
  write?: true
  /** @throws Violation, from `send` or what expect.ts has, where the service is not as it must be */
  play(service: Service): Promise<void>
}

export type CaseRequest = {
  method: string
  path: string
  /** The caller; left out: a caller without a session. */
  as?: Caller | undefined
  /** Cookie headers in the place of the caller's. */
  cookies?: string[]
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent unchanged; a text as UTF-8. */
  bytes?: Uint8Array | string
  /** The content type of a body, or null for none. Left out: JSON. */
  type?: string | null
  /** Sent in chunks, without a content length. */
  chunked?: boolean
  /** A fetch client would rewrite or refuse this request. */
  raw?: boolean
}

export type Reply = {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  text: string
  /** The parsed body; undefined where it is not JSON. */
  json: unknown
  /** The request in a message, e.g. `GET /v1/projects as owner`. */
  to: string
}

/** The means of a case. */
export type Service = {
  mode: Mode
  /** The address of the service, without a slash at the end; a path prefix is possible. */
  baseUrl: string
  /** Its origin, e.g. `https://api.example.com`. */
  origin: string
  /** The Cookie header of a caller, `session=…`. */
  cookieOf(as: Caller): string
  /** Sends a request, and checks the response as every response (every-response.ts). */
  send(request: CaseRequest): Promise<Reply>
  /** A name that no project has. */
  newName(text?: string): string
  /** Creates a project under a new name, unless one is given, and checks that it is as it must be. */
  newProject(fields?: { name?: string; description?: string }, as?: Caller): Promise<Project>
  /** Updates a project, and checks that only these fields change. */
  change(project: Project, fields: Partial<Project>, as?: Caller): Promise<Project>
  /** The list of a caller. */
  projectsOf(as: Caller): Promise<Project[]>
  /** The session bundle of a caller. */
  bundleOf(as: Caller): Promise<SessionBundle>
}
