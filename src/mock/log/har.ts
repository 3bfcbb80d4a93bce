import { interfaceVersion } from '../../contract/interface-version.js'
import type { LogDetails } from './log-details.js'
import type { LoggedMessage } from './logged-exchange.js'

/** An HTTP Archive, version 1.2 (http://www.softwareishard.com/blog/har-12-spec/). */
export type Har = ReturnType<typeof toHar>

/** The log as an HTTP Archive, which the developer tools of browsers open. */
export const toHar = (entries: readonly LogDetails[]) => ({
  log: {
    version: '1.2' as const,
    creator: { name: 'dashboard-api', version: interfaceVersion },
    entries: entries.map(harEntry),
  },
})

function harEntry(details: LogDetails) {
  const { id, time, ms, method, status, why, request, response } = details
  const text = response?.body?.text
  return {
    startedDateTime: new Date(Date.parse(time) - ms).toISOString(),
    time: ms,
    request: {
      method,
      url: request.url,
      queryString: [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value })),
      ...message(request),
      ...(request.body && {
        postData: { mimeType: request.headers['content-type'] ?? '', text: request.body.text ?? '' },
      }),
    },
    response: {
      status,
      statusText: '',
      redirectURL: '',
      ...message(response),
      content: {
        size: text === undefined ? 0 : new TextEncoder().encode(text).length,
        mimeType: response?.headers['content-type'] ?? '',
        text,
      },
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, send: 0, wait: ms, receive: 0, ssl: -1 },
    comment: `request ${id}: ${why}`,
    // Chromium's own field: the developer tools list the request as `fetch`.
    _resourceType: 'fetch' as const,
  }
}

/** -1 means an unknown size: the log has no bytes of the connection. */
const message = ({ headers = {}, body }: Partial<LoggedMessage> = {}) => ({
  httpVersion: 'HTTP/1.1',
  cookies: Object.entries(headers)
    .filter(([name]) => name === 'cookie')
    .flatMap(([, value]) => value.split('; ').map(pairOf)),
  headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  headersSize: -1,
  bodySize: body ? -1 : 0,
})

const pairOf = (cookie: string) => {
  const [name = '', value = ''] = cookie.split('=', 2)
  return { name, value }
}
