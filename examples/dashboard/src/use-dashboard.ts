import type { Client, Project, ProjectChanges, Result, SessionBundle } from 'dashboard-api/client'
import { useCallback, useEffect, useState } from 'react'

/** What the page shows. */
export type View =
  | { name: 'loading' }
  | { name: 'failed'; reason: string }
  | { name: 'signed-out'; sessionEnded: boolean }
  | { name: 'signed-in'; session: SessionBundle; projects: Project[] }

/** What is invalid in a form: by field, or in the form as a whole. */
export type ValidationErrors = { form: string[]; fields: Record<string, string[]> }

/** Submits a form. Resolves with the errors, or undefined on success. */
export type Submit<Values> = (values: Values) => Promise<ValidationErrors | undefined>

export type Actions = {
  create: Submit<{ name: string; description?: string }>
  update(projectId: string, changes: ProjectChanges): Promise<ValidationErrors | undefined>
  joinWaitlist: Submit<string>
  signOut(): Promise<void>
  /** Reloads all data. */
  refresh(): void
}

/** The state of the dashboard, and all its calls to the API. */
export function useDashboard(client: Client): { view: View; actions: Actions } {
  const [view, setView] = useState<View>({ name: 'loading' })
  const [loadCount, setLoadCount] = useState(0)
  const refresh = useCallback(() => setLoadCount((count) => count + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: refresh() increments loadCount to load again
  useEffect(() => {
    let isCurrent = true
    setView({ name: 'loading' })
    void load(client)
      .catch((error): View => ({ name: 'failed', reason: messageOf(error) }))
      .then((next) => isCurrent && setView(next))
    return () => {
      isCurrent = false
    }
  }, [client, loadCount])

  const setProjects = (change: (projects: Project[]) => Project[]) =>
    setView((now) => (now.name === 'signed-in' ? { ...now, projects: change(now.projects) } : now))

  /** Merges the project of a successful result into the list; resolves with the errors otherwise. */
  const applyResult = async (
    call: Promise<ProjectResult>,
    merge: (project: Project, projects: Project[]) => Project[],
  ): Promise<ValidationErrors | undefined> => {
    try {
      const result = await call
      if (result.ok) {
        const { project } = result.body
        setProjects((projects) => merge(project, projects))
        return undefined
      }
      if (result.status === 401) setView({ name: 'signed-out', sessionEnded: true })
      return errorsOf(result)
    } catch (error) {
      return errorAt('form', messageOf(error))
    }
  }

  const actions: Actions = {
    create: (values) =>
      applyResult(client.projects.create(values), (created, projects) => [created, ...projects]),
    update: (projectId, changes) =>
      applyResult(client.projects.update(projectId, changes), (updated, projects) =>
        projects.map((project) => (project.id === updated.id ? updated : project)),
      ),
    async joinWaitlist(email) {
      try {
        const result = await client.waitlist.join(email)
        if (result.ok) return undefined
        if (result.body.error !== 'email_required') return errorAt('form', result.body.error)
        return errorAt('email', 'Enter an email address, like ada@example.com.')
      } catch (error) {
        return errorAt('form', messageOf(error))
      }
    },
    async signOut() {
      try {
        const { continueAt } = await client.session.signOut(location.pathname)
        if (continueAt) return location.assign(continueAt)
        setView({ name: 'signed-out', sessionEnded: false })
      } catch (error) {
        setView({ name: 'failed', reason: messageOf(error) })
      }
    },
    refresh,
  }
  return { view, actions }
}

async function load(client: Client): Promise<View> {
  const session = await client.session.get()
  if (session.status === 401) return { name: 'signed-out', sessionEnded: false }
  if (!session.ok) return { name: 'failed', reason: session.body.error }

  const list = await client.projects.list()
  if (list.status === 401) return { name: 'signed-out', sessionEnded: true }
  if (!list.ok) return { name: 'failed', reason: list.body.error }
  return { name: 'signed-in', session: session.body, projects: list.body.projects }
}

type ProjectResult = Result<'createProject'> | Result<'updateProject'>

/** Assigns the error of a result to a field, or to the form as a whole. */
function errorsOf(result: Exclude<ProjectResult, { ok: true }>): ValidationErrors {
  switch (result.status) {
    case 409:
      return errorAt('name', result.body.error)
    case 422:
      return {
        form: result.body.details?.formErrors ?? [result.body.error],
        fields: result.body.details?.fieldErrors ?? {},
      }
    default:
      return errorAt('form', result.body.error)
  }
}

/** One error, of a field or of the form as a whole. */
const errorAt = (where: string, message: string): ValidationErrors =>
  where === 'form' ? { form: [message], fields: {} } : { form: [], fields: { [where]: [message] } }

const messageOf = (error: unknown): string =>
  error instanceof TypeError ? 'The service cannot be reached.' : String((error as Error).message ?? error)
