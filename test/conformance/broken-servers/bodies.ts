import { jsonOf } from '../broken-server-proxy.js'
import {
  type BrokenServer,
  isChange,
  onFields,
  onRequest,
  text,
  withText,
  withType,
} from './broken-server.js'

export const bodyServers: BrokenServer[] = [
  {
    name: 'unknown properties of a creation are ignored',
    caughtBy: 'A creation takes no other properties than name and description',
    behave: onFields((fields, method) =>
      method === 'POST'
        ? Object.fromEntries(Object.entries(fields).filter(([name]) => /^(name|description)$/.test(name)))
        : fields,
    ),
  },
  {
    name: 'unknown properties of an update are ignored',
    caughtBy: 'An update takes no other properties than name, description and status',
    behave: onFields((fields, method) =>
      method === 'PATCH'
        ? Object.fromEntries(
            Object.entries(fields).filter(([name]) => /^(name|description|status)$/.test(name)),
          )
        : fields,
    ),
  },
  {
    name: 'numbers are coerced to strings',
    caughtBy: 'Nothing is coerced: what is not a string is refused, by the name of its field',
    behave: onFields((fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          typeof value === 'number' ? String(value) : value,
        ]),
      ),
    ),
  },
  {
    name: 'U+0000 is removed',
    caughtBy: 'Texts with U+0000 or a lone surrogate are refused',
    behave: onFields((fields) => JSON.parse(JSON.stringify(fields).replaceAll('\\u0000', ''))),
  },
  {
    name: 'the content type is not checked',
    caughtBy: 'Another media type, or none, is 415',
    behave: onRequest((request) => (request.body ? withType(request, 'application/json') : request)),
  },
  {
    name: 'a byte order mark is skipped',
    caughtBy: 'What is not JSON is refused, without details',
    behave: onRequest((request) =>
      request.body?.[0] === 0xef ? { ...request, body: request.body.slice(3) } : request,
    ),
  },
  {
    name: 'invalid UTF-8 is replaced',
    caughtBy: 'Invalid UTF-8 is refused, and not replaced',
    behave: onRequest((request) =>
      request.body && !request.chunked ? withText(request, text(request.body)) : request,
    ),
  },
  {
    name: 'an empty body is an empty object',
    caughtBy: 'A body that is missing or empty is refused, without details',
    behave: onRequest((request) =>
      isChange(request) && !request.body?.length
        ? withType(withText(request, '{}'), 'application/json')
        : request,
    ),
  },
  {
    name: 'bodies may be larger',
    caughtBy: 'A body may have 65536 bytes, all at once and in chunks, and not one more',
    behave: onRequest((request) =>
      request.body && request.body.length > 65_536 && jsonOf(request)
        ? withText(request, text(request.body).trim())
        : request,
    ),
  },
]
