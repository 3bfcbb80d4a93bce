import { type DocsUrl, type Reply, replyBody } from '../../handlers/reply.js'
import { type MockReply, toResponse } from './mock-handler.js'

/** What a response depends on beside the reply: the URL with its path, the Host header and the method. */
type Asked = Pick<Request, 'method' | 'url' | 'headers'>

/** Makes the responses of replies. */
export type ReplyWriter = ReturnType<typeof createReplyWriter>

/**
 * Of a reply that is one for all callers of a team, the last text is kept while the team has its version: a list may have
 * tens of megabytes.
 * @param docsUrlFor returns the address of the page about an error code, for the Host header of a request
 */
export function createReplyWriter(
  baseUrl: string,
  docsUrlFor: (code: Parameters<DocsUrl>[0], host?: string) => string,
) {
  let last: { key: string; reply: MockReply } | undefined
  const serialize = (reply: Reply, { url, headers }: Asked): MockReply => {
    const path = url.slice(baseUrl.length).replace(/[?#].*$/s, '')
    const docsUrl: DocsUrl = (code) => docsUrlFor(code, headers.get('host') ?? undefined)
    const body = JSON.stringify(replyBody(reply, path, docsUrl)) ?? null
    return { status: reply.status, headers: reply.headers, body }
  }

  /** @param isShared whether it is the reply of an operation that may be kept */
  return (reply: Reply, asked: Asked, isShared = false): Response => {
    const isKept = isShared && reply.code === undefined && reply.version !== undefined
    if (!isKept) return toResponse(serialize(reply, asked), asked.method)
    const key = `${asked.url} ${reply.version}`
    if (last?.key !== key) last = { key, reply: serialize(reply, asked) }
    return toResponse(last.reply, asked.method)
  }
}
