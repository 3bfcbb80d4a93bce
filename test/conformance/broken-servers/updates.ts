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
  text,
} from './broken-server.js'

export const updateServers: BrokenServer[] = [
  {
    name: 'an update replaces the description that it does not name',
    caughtBy: /changes only/,
    behave: onFields((fields, method) => (method === 'PATCH' ? { description: '-', ...fields } : fields)),
  },
  {
    name: 'an update is answered but not stored',
    caughtBy: /changes only/,
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
    name: 'an empty update is refused',
    caughtBy: /update of nothing/,
    behave: () => (request, send) =>
      is('updateProject')(request) && text(request.body) === '{}'
        ? invalidName(request, send)
        : send(request),
  },
  {
    name: 'an empty description is stored as null',
    caughtBy: /description/,
    behave: onFields(({ description, ...fields }, method) =>
      description === '' && method === 'POST'
        ? fields
        : { ...fields, ...(description !== undefined && { description }) },
    ),
  },
  {
    name: 'a status is one of four',
    caughtBy: /status/,
    behave: () => (request, send) =>
      is('updateProject')(request) &&
      !['undefined', 'active', 'paused', 'completed', 'archived'].includes(String(fieldsOf(request).status))
        ? invalidName(request, send)
        : send(request),
  },
  {
    name: 'a blank id updates the first project',
    caughtBy: /blank/,
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
    caughtBy: /unknown and foreign/,
    behave: onRequest((request) => ({ ...request, path: request.path.replace(/(%20)+$/, '') })),
  },
]
