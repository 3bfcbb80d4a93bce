import { type DocsUrl, type Reply, replyBody } from '../../handlers/reply.js'
import type { MockReply } from './mock-reply.js'
import type { SentRequest } from './sent-request.js'

/** What a reply depends on: the URL with its path, and the Host header. */
type Asked = Pick<SentRequest, 'url' | 'headers'>

/** Makes the replies as they are sent. */
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
    const docsUrl: DocsUrl = (code) => docsUrlFor(code, headers.host)
    const body = JSON.stringify(replyBody(reply, path, docsUrl)) ?? null
    return { status: reply.status, headers: reply.headers, body }
  }

  /** @param isShared whether it is the reply of an operation that may be kept */
  return (reply: Reply, asked: Asked, isShared = false): MockReply => {
    const isKept = isShared && reply.code === undefined && reply.version !== undefined
    if (!isKept) return serialize(reply, asked)
    const key = `${asked.url} ${reply.version}`
    if (last?.key !== key) last = { key, reply: serialize(reply, asked) }
    return last.reply
  }
}
