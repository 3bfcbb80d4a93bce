/** A response of the mock as plain values. */
export type MockReply = {
  status: number
  headers: Record<string, string>
  body: string | null
  /** The Set-Cookie headers. */
  cookies?: string[]
}

/**
 * The answer to a request: a reply of the mock, or the response of a user's handler. Without either, its connection breaks.
 */
export type Answered = {
  reply?: MockReply
  response?: Response
  by?: HandlerResult
  /** Called once the client has taken the response, or has aborted the request. Only the first call counts. */
  settle?(isTaken: boolean): void
}

/** The result of a user's handler, for MSW's log. */
export type HandlerResult = {
  /** MSW's copy of the request, with an unread body. */
  request: Request
  handler: { log(args: { request: Request; response: Response; parsedResult: unknown }): void }
  parsedResult: unknown
}
