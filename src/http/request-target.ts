import type { IncomingHttpHeaders } from 'node:http'
import { withoutQuery } from '../contract/without-query.js'

/** The requested host and port. HTTP/2's :authority overrides a Host header. */
export const requestHost = ({ headers }: { headers: IncomingHttpHeaders }): string =>
  String(headers[':authority'] ?? headers.host ?? '')

/** The request target without scheme and host, which clients of a proxy send. */
export const requestTarget = (url = '/'): string => url.replace(/^https?:\/\/[^/?#]*/i, '')

/** The path of a request target as sent, with dot segments, backslashes and escapes. */
export const targetPath = (url?: string): string => withoutQuery(requestTarget(url))
