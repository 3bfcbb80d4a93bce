import { withoutQuery } from '../../contract/without-query.js'
import { type DocsUrl, type Reply, replyBody } from '../../handlers/reply.js'
import type { MockReply } from './mock-reply.js'
import type { SentRequest } from './sent-request.js'

/** The inputs of a reply's text: the URL with its path, and the Host header. */
type Asked = Pick<SentRequest, 'url' | 'headers'>

export type ReplyWriter = ReturnType<typeof createReplyWriter>

/**
 * Makes the texts of replies. Keeps the text of the last team-wide reply until the team's version changes: a list may have
 * tens of megabytes.
 * @param docsUrlFor returns the URL of the page about an error code, for the Host header of a request
 */
export function createReplyWriter(
  baseUrl: string,
  docsUrlFor: (code: Parameters<DocsUrl>[0], host?: string) => string,
) {
  let last: { key: string; reply: MockReply } | undefined
  const serialize = (reply: Reply, { url, headers }: Asked): MockReply => {
    const path = withoutQuery(url.slice(baseUrl.length))
    const docsUrl: DocsUrl = (code) => docsUrlFor(code, headers.host)
    const body = JSON.stringify(replyBody(reply, path, docsUrl)) ?? null
    return { status: reply.status, headers: reply.headers, body }
  }

  /** @param isShared whether the operation's reply may be kept */
  return (reply: Reply, asked: Asked, isShared = false): MockReply => {
    const isKept = isShared && reply.code === undefined && reply.version !== undefined
    if (!isKept) return serialize(reply, asked)
    const key = `${asked.url} ${reply.version}`
    if (last?.key !== key) last = { key, reply: serialize(reply, asked) }
    return last.reply
  }
}
