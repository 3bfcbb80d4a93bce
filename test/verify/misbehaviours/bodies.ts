import { jsonOf } from '../broken-server-proxy.js'
import {
  isChange,
  type Misbehaviour,
  onFields,
  onRequest,
  text,
  typeOf,
  withText,
  withType,
} from './misbehaviour.js'

const body = /JSON|UTF-8|media type|content type|body|chunks/

export const bodyMisbehaviours: Misbehaviour[] = [
  {
    name: 'unknown properties of a creation are ignored',
    tries: /unknown propert/,
    behave: onFields((fields, method) =>
      method === 'POST'
        ? Object.fromEntries(Object.entries(fields).filter(([name]) => /^(name|description)$/.test(name)))
        : fields,
    ),
  },
  {
    name: 'unknown properties of an update are ignored',
    tries: /unknown propert/,
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
    tries: /coerced/,
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
    name: 'null is taken for a missing field',
    tries: /coerced/,
    behave: onFields((fields) =>
      Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
    ),
  },
  {
    name: 'U+0000 is removed',
    tries: /U\+0000/,
    behave: onFields((fields) => JSON.parse(JSON.stringify(fields).replaceAll('\\u0000', ''))),
  },
  {
    name: 'lone surrogates are replaced',
    tries: /surrogate/,
    behave: onFields((fields) =>
      JSON.parse(
        JSON.stringify(fields, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value)),
      ),
    ),
  },
  {
    name: 'the content type is not checked',
    tries: /media type/,
    behave: onRequest((request) => (request.body ? withType(request, 'application/json') : request)),
  },
  {
    name: 'media types that end with +json are accepted',
    tries: /media type/,
    behave: onRequest((request) =>
      /\+json/.test(typeOf(request) ?? '') ? withType(request, 'application/json') : request,
    ),
  },
  {
    name: 'a missing content type is JSON',
    tries: /content type|under other names/,
    behave: onRequest((request) =>
      request.body && !typeOf(request) ? withType(request, 'application/json') : request,
    ),
  },
  {
    name: 'parameters of the content type are refused',
    tries: /content type|under other names/,
    behave: onRequest((request) =>
      typeOf(request)?.includes(';') ? withType(request, 'text/plain') : request,
    ),
  },
  {
    name: 'a byte order mark is skipped',
    tries: /not JSON/,
    behave: onRequest((request) =>
      request.body?.[0] === 0xef ? { ...request, body: request.body.slice(3) } : request,
    ),
  },
  {
    name: 'invalid UTF-8 is replaced',
    tries: /UTF-8|not JSON/,
    behave: onRequest((request) =>
      request.body && !request.chunked ? withText(request, text(request.body)) : request,
    ),
  },
  {
    name: 'trailing commas are accepted',
    tries: body,
    behave: onRequest((request) =>
      request.body
        ? {
            ...request,
            body: Buffer.from(Buffer.from(request.body).toString('latin1').replace(/,}$/, '}'), 'latin1'),
          }
        : request,
    ),
  },
  {
    name: 'what follows the JSON is ignored',
    tries: body,
    behave: onRequest((request) =>
      text(request.body).endsWith('} {}') ? withText(request, text(request.body).slice(0, -3)) : request,
    ),
  },
  {
    name: 'an empty body is an empty object',
    tries: /missing body|empty body/,
    behave: onRequest((request) =>
      isChange(request) && !request.body?.length
        ? withType(withText(request, '{}'), 'application/json')
        : request,
    ),
  },
  {
    name: 'bodies may be larger',
    tries: /bytes|too large/,
    behave: onRequest((request) =>
      request.body && request.body.length > 65_536 && jsonOf(request)
        ? withText(request, text(request.body).trim())
        : request,
    ),
  },
  {
    name: 'bodies may have half the size',
    tries: /bytes|too large/,
    behave: () => (request, send) =>
      send(request.body && request.body.length > 32_768 ? withText(request, 'x'.repeat(65_537)) : request),
  },
  {
    name: 'the connection of a body that is too large is closed',
    tries: /bytes|too large/,
    behave: () => (request, send) => {
      if ((request.body?.length ?? 0) > 65_536) throw new Error('socket hang up')
      return send(request)
    },
  },
]
