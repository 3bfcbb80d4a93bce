import { type Failure, fail, type Session } from '../../src/handlers/handler.js'
import type { Store } from '../../src/store/store.js'

// Separate from the operations, which replace those of the contract: handlers load the contract.

type AddedContext = {
  session: Session
  params: { projectId: string }
  query: { text: string; limit?: number }
  store: Store
}

const removeProject = async ({ session, params, store }: AddedContext): Promise<undefined | Failure> =>
  (await store.project(session.team?.id ?? '', params.projectId)) ? undefined : fail('PROJECT_NOT_FOUND')

const findProjects = async ({ session, query, store }: AddedContext) => {
  const { projects, version } = await store.listProjects(session.team?.id ?? '')
  const found = projects.filter(({ name }) => name.includes(query.text)).slice(0, query.limit)
  return { versioned: { projects: found }, version }
}

export const addedHandlers = { removeProject, findProjects }
