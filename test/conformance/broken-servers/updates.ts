import { jsonOf, withJson, withRequestJson } from '../broken-server-proxy.js'
import {
  type BrokenServer,
  fieldsOf,
  hasFields,
  invalidName,
  is,
  listPath,
  onFields,
  onRequest,
  projectsFor,
} from './broken-server.js'

export const updateServers: BrokenServer[] = [
  {
    name: 'an update replaces the description that it does not name',
    caughtBy: 'An update of any fields, or of none, changes only these',
    behave: onFields((fields, method) => (method === 'PATCH' ? { description: '-', ...fields } : fields)),
  },
  {
    name: 'an update is answered but not stored',
    caughtBy: 'An update of any fields, or of none, changes only these',
    behave: () => async (request, send) => {
      if (!is('updateProject')(request) || !hasFields(request) || 'name' in fieldsOf(request))
        return send(request)
      const response = await send(withRequestJson(request, {}))
      return response.status === 200
        ? withJson(response, { project: { ...Object(jsonOf(response)).project, ...fieldsOf(request) } })
        : response
    },
  },
  {
    name: 'an empty description is stored as null',
    caughtBy: 'A description that is not given is null, and an empty one is empty',
    behave: onFields(({ description, ...fields }, method) =>
      description === '' && method === 'POST'
        ? fields
        : { ...fields, ...(description !== undefined && { description }) },
    ),
  },
  {
    name: 'a status is one of four',
    caughtBy: 'Any string of at least one character is a status, and each may follow each',
    behave: () => (request, send) =>
      is('updateProject')(request) &&
      !['undefined', 'active', 'paused', 'completed', 'archived'].includes(String(fieldsOf(request).status))
        ? invalidName(request, send)
        : send(request),
  },
  {
    name: 'a blank id updates the first project',
    caughtBy: 'A blank id is an empty filter, and changes nothing of any team',
    behave: () => async (request, send) => {
      if (
        request.method !== 'PATCH' ||
        decodeURIComponent(request.path.slice(`${listPath}/`.length)).trim() !== ''
      )
        return send(request)
      const [first] = await projectsFor(request, send)
      return send({ ...request, path: `${listPath}/${first?.id}` })
    },
  },
  {
    name: 'ids are trimmed',
    caughtBy: 'The id of a project in another spelling is unknown',
    behave: onRequest((request) => ({ ...request, path: request.path.replace(/(%20)+$/, '') })),
  },
]
