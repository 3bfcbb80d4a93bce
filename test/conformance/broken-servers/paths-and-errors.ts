import { jsonOf, withJson } from '../broken-server-proxy.js'
import { type BrokenServer, codeOf, is, listPath, onRequest, onResponse } from './broken-server.js'

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
    name: 'an error has the stack of its exception',
    caughtBy: 'No project has an unknown id, also one that cannot be decoded, and none is created',
    behave: onResponse((response) =>
      response.status === 404
        ? withJson(response, {
            ...Object(jsonOf(response)),
            error: 'Not found\n    at find (/app/src/projects.js:31:9)',
          })
        : response,
    ),
  },
  {
    name: 'an error has the message of the database',
    caughtBy: 'The name of an existing project is taken, in any case, and no project is created',
    behave: onResponse((response) =>
      codeOf(response) === 'PROJECT_NAME_TAKEN'
        ? withJson(response, {
            ...Object(jsonOf(response)),
            error: 'SQLITE_CONSTRAINT: UNIQUE constraint failed: projects.name',
          })
        : response,
    ),
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
