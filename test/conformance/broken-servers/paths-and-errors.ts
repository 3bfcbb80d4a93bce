import { type BrokenServer, is, listPath, onRequest, onResponse } from './broken-server.js'

export const pathServers: BrokenServer[] = [
  // Paths and methods
  {
    name: 'a slash at the end is ignored',
    caughtBy: 'Paths that only look like those of the interface are unknown',
    behave: onRequest((request) => ({ ...request, path: request.path.replace(/(?<=\w)\/$/, '') })),
  },
  {
    name: 'percent-encoded paths are not decoded',
    caughtBy: 'A path may be percent-encoded',
    behave: onRequest((request) => ({ ...request, path: request.path.replace('%70', '%2570') })),
  },
  {
    name: 'Allow lists every method',
    caughtBy: 'A method that a path does not take is 405, and Allow lists those that it takes',
    behave: onResponse((response) =>
      response.status === 405
        ? { ...response, headers: { ...response.headers, allow: 'GET, HEAD, POST, PATCH' } }
        : response,
    ),
  },
  {
    name: 'HEAD is not known',
    caughtBy: 'HEAD returns what GET does, without a body; its Content-Length, if any, is that of the body',
    behave: onResponse((response, { method }) =>
      method === 'HEAD' ? { ...response, status: 404 } : response,
    ),
  },
  {
    name: 'paths outside of /v1/ lead to operations',
    caughtBy: 'No path outside of /v1/ has the projects of a team',
    behave: onRequest((request) => ({
      ...request,
      path: request.path.replace(/^\/(projects|waitlist)/, '/v1/$1'),
    })),
  },

  // Errors and their pages
  {
    name: 'the pages of errors are about something else',
    caughtBy: 'The pages that errors link to open, and are about their codes',
    behave: onResponse((response, { path }) =>
      path.startsWith('/docs/') ? { ...response, text: '<p>Welcome' } : response,
    ),
  },
  {
    name: 'every page of an error is the same',
    caughtBy: 'Paths that only look like those of the interface are unknown',
    behave: onResponse((response) => ({
      ...response,
      text: response.text.replace(/\/docs\/errors\/[a-z-]+/, '/docs/errors/auth-required'),
    })),
  },
  {
    name: 'errors of the session have the full form',
    caughtBy: 'Errors of the session operation have the short form, those of the list the full one',
    behave: () => async (request, send) => {
      const response = await send(request)
      return is('getSession')(request) && response.status === 401
        ? send({ ...request, path: listPath })
        : response
    },
  },
]
