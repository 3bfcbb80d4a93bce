import type { IncomingHttpHeaders } from 'node:http'

/** The requested host and port. HTTP/2's :authority overrides a Host header. */
export const requestHost = ({ headers }: { headers: IncomingHttpHeaders }): string =>
  String(headers[':authority'] ?? headers.host ?? '')

/** The request target without the scheme and the host, which the client of a proxy sends too. */
export const requestTarget = (url = '/'): string => url.replace(/^https?:\/\/[^/?#]*/i, '')

/** The path of a request target as it was sent: dot segments, backslashes and escapes stay. */
export const targetPath = (url?: string): string => requestTarget(url).replace(/[?#].*/s, '')
