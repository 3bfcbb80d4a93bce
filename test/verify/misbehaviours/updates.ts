import { jsonOf, withJson, withRequestJson } from '../broken-server-proxy.js'
import {
  fieldsOf,
  hasFields,
  invalidName,
  is,
  listPath,
  type Misbehaviour,
  onFields,
  onRequest,
  projectsFor,
  text,
} from './misbehaviour.js'

export const updateMisbehaviours: Misbehaviour[] = [
  {
    name: 'an update replaces the description that it does not name',
    tries: /changes only/,
    behave: onFields((fields, method) => (method === 'PATCH' ? { description: '-', ...fields } : fields)),
  },
  {
    name: 'an update ignores the status',
    tries: /changes only/,
    behave: onFields(({ status, ...fields }, method) =>
      method === 'PATCH' ? fields : { ...fields, ...(status !== undefined && { status }) },
    ),
  },
  {
    name: 'an update is answered but not stored',
    tries: /changes only/,
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
    tries: /update of nothing/,
    behave: () => (request, send) =>
      is('updateProject')(request) && text(request.body) === '{}'
        ? invalidName(request, send)
        : send(request),
  },
  {
    name: 'an empty description is stored as null',
    tries: /description/,
    behave: onFields(({ description, ...fields }, method) =>
      description === '' && method === 'POST'
        ? fields
        : { ...fields, ...(description !== undefined && { description }) },
    ),
  },
  {
    name: 'a status is one of four',
    tries: /status/,
    behave: () => (request, send) =>
      is('updateProject')(request) &&
      !['undefined', 'active', 'paused', 'completed', 'archived'].includes(String(fieldsOf(request).status))
        ? invalidName(request, send)
        : send(request),
  },
  {
    name: 'a blank id updates the first project',
    tries: /blank/,
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
    tries: /unknown and foreign/,
    behave: onRequest((request) => ({ ...request, path: request.path.replace(/(%20)+$/, '') })),
  },
]
