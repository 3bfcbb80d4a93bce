import { type ProxyRequest, type ProxyResponse, withRequestJson } from '../broken-server-proxy.js'
import {
  type BrokenServer,
  codeOf,
  fieldsOf,
  is,
  isChange,
  nameTaken,
  type Project,
  projectsFor,
} from './broken-server.js'

let marks = 0

/** Lets a request take a taken name of some projects: with invisible characters that responses do not have. */
const freeing =
  (isFree: (holder: Project, request: ProxyRequest, index: number) => boolean): BrokenServer['behave'] =>
  () =>
  async (request, send) => {
    const shown = (response: ProxyResponse) => ({
      ...response,
      text: response.text.replaceAll('\u2063', ''),
    })
    const response = await send(request)
    if (!isChange(request) || codeOf(response) !== 'PROJECT_NAME_TAKEN') return shown(response)
    const name = String(fieldsOf(request).name)
    const projects = await projectsFor(request, send)
    const at = projects.findIndex((project) => project.name.toUpperCase() === name.toUpperCase())
    const holder = projects[at]
    if (!holder || !isFree(holder, request, at)) return shown(response)
    marks += 1
    const free = { ...fieldsOf(request), name: `${name}${'\u2063'.repeat(marks)}` }
    return shown(await send(withRequestJson(request, free)))
  }

const isLike = (name: string, pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.')}$`,
    'is',
  ).test(name)

export const takenNameServers: BrokenServer[] = [
  {
    name: 'the name of an archived project is free for a creation',
    caughtBy: 'A name stays taken, whatever status its project gets',
    behave: freeing(({ status }, request) => status === 'archived' && is('createProject')(request)),
  },
  {
    name: 'the name of an archived project is free for an update',
    caughtBy: 'A name is taken for creations and updates alike, whatever its project is',
    behave: freeing(({ status }, request) => status === 'archived' && is('updateProject')(request)),
  },
  {
    name: 'names are looked for among the newest hundred projects',
    caughtBy: 'A list has a hundred projects and more, and the name of each is taken',
    behave: freeing((_, __, index) => index >= 100),
  },
  {
    name: 'names are compared by LIKE',
    caughtBy: 'Names that only look alike are different names',
    behave: () => async (request, send) => {
      if (!is('createProject')(request)) return send(request)
      const name = String(fieldsOf(request).name)
      const isTaken = (await projectsFor(request, send)).some((project) => isLike(project.name, name))
      return isTaken ? nameTaken(request, send) : send(request)
    },
  },
  {
    name: 'a refused creation reserves its name',
    caughtBy: 'A name is free until its project is created or renamed: a refused request takes none',
    behave: () => {
      const reserved = new Set<unknown>()
      return async (request, send) => {
        const { name } = fieldsOf(request)
        if (!is('createProject')(request)) return send(request)
        if (reserved.has(name)) return nameTaken(request, send)
        const response = await send(request)
        if (response.status === 422) reserved.add(name)
        return response
      }
    },
  },
]
