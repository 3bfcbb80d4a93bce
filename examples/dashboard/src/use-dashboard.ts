import type { Client, Project, ProjectChanges, Result, SessionBundle } from 'dashboard-api/client'
import { useCallback, useEffect, useState } from 'react'

/** What there is to show. */
export type View =
  | { name: 'loading' }
  | { name: 'failed'; reason: string }
  | { name: 'signed-out'; ended: boolean }
  | { name: 'signed-in'; session: SessionBundle; projects: Project[] }

/** What is wrong with what was entered: about a field, or about the whole. */
export type Faults = { form: string[]; fields: Record<string, string[]> }

/** Gives nothing when it worked. */
export type Submit<Values> = (values: Values) => Promise<Faults | undefined>

export type Actions = {
  create: Submit<{ name: string; description?: string }>
  update(projectId: string, changes: ProjectChanges): Promise<Faults | undefined>
  joinWaitlist: Submit<string>
  signOut(): Promise<void>
  /** Loads everything anew. */
  refresh(): void
}

/** The dashboard's state, and all calls that it makes. */
export function useDashboard(client: Client): { view: View; actions: Actions } {
  const [view, setView] = useState<View>({ name: 'loading' })
  const [round, setRound] = useState(0)
  const refresh = useCallback(() => setRound((last) => last + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round loads anew
  useEffect(() => {
    let isCurrent = true
    setView({ name: 'loading' })
    void load(client)
      .catch((error): View => ({ name: 'failed', reason: messageOf(error) }))
      .then((next) => isCurrent && setView(next))
    return () => {
      isCurrent = false
    }
  }, [client, round])

  const setProjects = (change: (projects: Project[]) => Project[]) =>
    setView((now) => (now.name === 'signed-in' ? { ...now, projects: change(now.projects) } : now))

  /** Takes in the project of a success; gives what is wrong otherwise. */
  const settle = async (
    call: Promise<ProjectResult>,
    take: (project: Project, projects: Project[]) => Project[],
  ): Promise<Faults | undefined> => {
    try {
      const result = await call
      if (result.ok) {
        const { project } = result.body
        setProjects((projects) => take(project, projects))
        return undefined
      }
      if (result.status === 401) setView({ name: 'signed-out', ended: true })
      return faultsOf(result)
    } catch (error) {
      return about('form', messageOf(error))
    }
  }

  const actions: Actions = {
    create: (values) => settle(client.projects.create(values), (created, projects) => [created, ...projects]),
    update: (projectId, changes) =>
      settle(client.projects.update(projectId, changes), (updated, projects) =>
        projects.map((project) => (project.id === updated.id ? updated : project)),
      ),
    async joinWaitlist(email) {
      try {
        const result = await client.waitlist.join(email)
        if (result.ok) return undefined
        if (result.body.error !== 'email_required') return about('form', result.body.error)
        return about('email', 'Enter an email address, like ada@example.com.')
      } catch (error) {
        return about('form', messageOf(error))
      }
    },
    async signOut() {
      try {
        const { continueAt } = await client.session.signOut(location.pathname)
        if (continueAt) return location.assign(continueAt)
        setView({ name: 'signed-out', ended: false })
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
  if (session.status === 401) return { name: 'signed-out', ended: false }
  if (!session.ok) return { name: 'failed', reason: session.body.error }

  const list = await client.projects.list()
  if (list.status === 401) return { name: 'signed-out', ended: true }
  if (!list.ok) return { name: 'failed', reason: list.body.error }
  return { name: 'signed-in', session: session.body, projects: list.body.projects }
}

type ProjectResult = Result<'createProject'> | Result<'updateProject'>

/** Puts a refusal where it belongs: at a field, or at the form as a whole. */
function faultsOf(result: Exclude<ProjectResult, { ok: true }>): Faults {
  switch (result.status) {
    case 409:
      return about('name', result.body.error)
    case 422:
      return {
        form: result.body.details?.formErrors ?? [result.body.error],
        fields: result.body.details?.fieldErrors ?? {},
      }
    default:
      return about('form', result.body.error)
  }
}

/** One fault, of a field or of the form as a whole. */
const about = (where: string, message: string): Faults =>
  where === 'form' ? { form: [message], fields: {} } : { form: [], fields: { [where]: [message] } }

const messageOf = (error: unknown): string =>
  error instanceof TypeError ? 'The service cannot be reached.' : String((error as Error).message ?? error)
