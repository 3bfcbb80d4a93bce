import type { Project } from '../../contract/schemas.js'
import type { Persona } from '../cases/case.js'
import type { TestData } from '../cases/test-data.js'
import type { Observed } from './observe.js'

/** Whether two values of JSON are the same, without regard to the order of an object's keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => isSame(Object(a)[key], Object(b)[key]))
}

/**
 * What a service must hold while a case runs: the data at its start, and what the successes of the case have changed. It
 * says what each success about projects has to be, so that no case does.
 */
export function createModel(start: TestData) {
  const changed = new Map<string, Project[]>()
  const projects = (as: Persona) => changed.get(start.bundle(as).teamId) ?? start.projects(as)
  const edit = (as: Persona, change: (all: Project[]) => Project[]) =>
    changed.set(start.bundle(as).teamId, change(projects(as)))
  const bundle = (as: Persona) => ({
    ...start.bundle(as),
    projects: projects(as).map(({ id, name }) => ({ id, name })),
  })

  /** The body of a success. @param isShared others change the data too: what was not given is not compared */
  function expectedBody(observed: Observed, as: Persona, isShared: boolean): unknown {
    const { name, given, response } = observed
    const json = response.json as { project: Project }
    // The waitlist ignores who asks: of an expired session nothing is known.
    if (name === 'joinWaitlist') return json
    const { teamId } = start.bundle(as)
    if (name === 'createProject')
      return { project: { ...json.project, description: null, status: 'active', ...Object(given), teamId } }
    if (name === 'updateProject') {
      const id = projectIdOf(observed)
      const before = isShared ? json.project : projects(as).find((project) => project.id === id)
      return { project: { ...before, ...Object(given), id } }
    }
    if (isShared) return json
    if (name === 'listProjects') return { projects: projects(as).map((project) => ({ ...project, teamId })) }
    return name === 'getSession' ? { ...json, ...bundle(as) } : json
  }

  return {
    data: Object.assign(Object.create(start), { bundle, projects }) as TestData,

    /** How a success differs from what it must be, as a sentence. */
    *differences(observed: Observed, isShared: boolean): Generator<string> {
      const { request, response, isSuccess } = observed
      const expected = isSuccess && request.as ? expectedBody(observed, request.as, isShared) : response.json
      if (!isSame(response.json, expected))
        yield `the body is ${response.text.slice(0, 300)}, expected ${JSON.stringify(expected).slice(0, 300)}`
    },

    /** Changes the data as requests have that were sent at the same time: new projects are in the order of time and id. */
    change(sent: readonly Observed[]): void {
      const successes = sent.flatMap((each) => {
        const { as } = each.request
        return each.isSuccess && as ? { ...each, as, ...Object(each.response.json) } : []
      })
      const created = successes.filter(({ name }) => name === 'createProject')
      // By the clocks of two nodes, a project that is created later may be an older one.
      for (const { as, project } of created.sort((a, b) => (a.project.id < b.project.id ? -1 : 1)))
        edit(as, (all) => [project, ...all].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt)))
      for (const each of successes.filter(({ operation }) => /^(PATCH|DELETE)$/.test(operation.method))) {
        const id = projectIdOf(each)
        const edited = (project: Project) =>
          each.operation.method === 'DELETE' ? [] : { ...project, ...each.given }
        edit(each.as, (all) => all.flatMap((project) => (project.id === id ? edited(project) : project)))
      }
    },
  }
}

/** The id in the path of a request. */
const projectIdOf = ({ sent }: Observed): string =>
  decodeURIComponent(sent.path.replace(/\?.*/, '').split('/').at(-1) ?? '')
