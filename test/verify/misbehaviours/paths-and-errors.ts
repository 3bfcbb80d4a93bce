import { is, listPath, type Misbehaviour, onRequest, onResponse } from './misbehaviour.js'

export const pathMisbehaviours: Misbehaviour[] = [
  // Paths and methods
  {
    name: 'a slash at the end is ignored',
    tries: /paths/,
    behave: onRequest((request) => ({ ...request, path: request.path.replace(/(?<=\w)\/$/, '') })),
  },
  {
    name: 'the case of paths is ignored',
    tries: /paths/,
    behave: onRequest((request) => ({
      ...request,
      path: request.path.startsWith('/v1/')
        ? request.path.replace(/^\/v1\/[^/]*/, (part) => part.toLowerCase())
        : request.path,
    })),
  },
  {
    name: 'repeated slashes count as one',
    tries: /paths/,
    behave: onRequest((request) => ({ ...request, path: request.path.replace(/(?<=v1)\/\//, '/') })),
  },
  {
    name: 'percent-encoded paths are not decoded',
    tries: /percent-encoded/,
    behave: onRequest((request) => ({ ...request, path: request.path.replace('%70', '%2570') })),
  },
  {
    name: 'other methods are unknown paths',
    tries: /not allowed/,
    behave: () => async (request, send) => {
      const response = await send(request)
      return response.status === 405 ? send({ ...request, method: 'GET', path: '/v1/nothing' }) : response
    },
  },
  {
    name: 'Allow lists every method',
    tries: /not allowed/,
    behave: onResponse((response) =>
      response.status === 405
        ? { ...response, headers: { ...response.headers, allow: 'GET, HEAD, POST, PATCH' } }
        : response,
    ),
  },
  {
    name: 'HEAD is not known',
    tries: /HEAD/,
    behave: onResponse((response, { method }) =>
      method === 'HEAD' ? { ...response, status: 404 } : response,
    ),
  },
  {
    name: 'HEAD has another Content-Length',
    tries: /HEAD returns/,
    behave: onResponse((response, { method }) =>
      method === 'HEAD' ? { ...response, headers: { ...response.headers, 'content-length': '2' } } : response,
    ),
  },
  {
    name: 'paths outside of /v1/ lead to operations',
    tries: /9 paths/,
    behave: onRequest((request) => ({
      ...request,
      path: request.path.replace(/^\/(projects|waitlist)/, '/v1/$1'),
    })),
  },

  // Errors and their pages
  {
    name: 'the pages of errors do not open',
    tries: /list returns 401/,
    behave: onResponse((response, { path }) =>
      path.startsWith('/docs/') ? { ...response, status: 404 } : response,
    ),
  },
  {
    name: 'the pages of errors are about something else',
    tries: /list returns 401/,
    behave: onResponse((response, { path }) =>
      path.startsWith('/docs/') ? { ...response, text: '<p>Welcome' } : response,
    ),
  },
  {
    name: 'the pages of errors cannot be reached',
    tries: /list returns 401/,
    behave: onResponse((response) => ({
      ...response,
      text: response.text.replace(/http:\/\/127\.0\.0\.1:\d+\/docs/, 'http://127.0.0.1:1/docs'),
    })),
  },
  {
    name: 'every page of an error is the same',
    tries: /list returns 401|not allowed/,
    behave: onResponse((response) => ({
      ...response,
      text: response.text.replace(/\/docs\/errors\/[a-z-]+/, '/docs/errors/auth-required'),
    })),
  },
  {
    name: 'errors of the session have the full form',
    tries: /session/,
    behave: () => async (request, send) => {
      const response = await send(request)
      return is('getSession')(request) && response.status === 401
        ? send({ ...request, path: listPath })
        : response
    },
  },
]
