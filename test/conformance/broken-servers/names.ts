import { withRequestJson } from '../broken-server-proxy.js'
import {
  type BrokenServer,
  fieldsOf,
  hasFields,
  invalidName,
  is,
  nameTaken,
  onFields,
  projectsFor,
} from './broken-server.js'

/** Adds an invisible character to names, and removes it from responses. */
const marking =
  (mark: (name: string, method: string) => string): BrokenServer['behave'] =>
  () =>
  async (request, send) => {
    const { name } = fieldsOf(request)
    const response = await send(
      hasFields(request) && typeof name === 'string' && name !== ''
        ? withRequestJson(request, { ...fieldsOf(request), name: mark(name, request.method) })
        : request,
    )
    return { ...response, text: response.text.replaceAll('\u2063', '') }
  }
let marks = 0

export const nameServers: BrokenServer[] = [
  {
    name: 'names are compared with case',
    caughtBy: 'The name of an existing project is taken, in any case, and no project is created',
    behave: marking((name) => name.replace(/\p{Lu}/gu, '$&\u2063')),
  },
  {
    name: 'names of other letters than ASCII are compared with case',
    caughtBy: 'Names that differ in case or normalisation are the same name',
    behave: marking((name) =>
      name.replace(/\P{ASCII}/gu, (char) => (char === char.toLowerCase() ? char : `${char}\u2063`)),
    ),
  },
  {
    name: 'names are not normalised',
    caughtBy: 'Names that differ in case or normalisation are the same name',
    behave: marking((name) => name.replace(/\u0301/g, '\u2063\u0301')),
  },
  {
    name: 'updated names need not be unique',
    caughtBy: 'A project may not take the name of another one, and stays unchanged',
    behave: marking((name, method) =>
      method === 'PATCH' ? `${name}${'\u2063'.repeat(++marks % 500)}` : name,
    ),
  },
  {
    name: 'names are trimmed',
    caughtBy: 'Names that only look alike are different names',
    behave: onFields((fields) =>
      typeof fields.name === 'string' && fields.name.trim()
        ? { ...fields, name: fields.name.trim() }
        : fields,
    ),
  },
  {
    name: 'a project cannot take its own name in another case',
    caughtBy: 'A project may take its own name again, in the same or another case',
    behave: () => async (request, send) => {
      const { name } = fieldsOf(request)
      if (!is('updateProject')(request) || typeof name !== 'string') return send(request)
      const own = (await projectsFor(request, send)).find(({ id }) => request.path.endsWith(id))
      return own?.name.toLowerCase() === name.toLowerCase() ? nameTaken(request, send) : send(request)
    },
  },
  {
    name: 'the old name of a renamed project stays taken',
    caughtBy: 'The old name of a renamed project is free again, and its new one is taken',
    behave: () => {
      const old = new Set<string>()
      return async (request, send) => {
        const { name } = fieldsOf(request)
        if (is('createProject')(request) && typeof name === 'string' && old.has(name))
          return nameTaken(request, send)
        const before =
          is('updateProject')(request) && name !== undefined
            ? (await projectsFor(request, send)).find(({ id }) => request.path.endsWith(id))
            : undefined
        const response = await send(request)
        if (before && response.status === 200) old.add(before.name)
        return response
      }
    },
  },
  {
    name: 'a name has 255 characters at most',
    caughtBy: 'Names, descriptions and statuses may be as long as a body',
    behave: () => (request, send) =>
      is('createProject')(request) && String(fieldsOf(request).name).length > 255
        ? invalidName(request, send)
        : send(request),
  },
]
