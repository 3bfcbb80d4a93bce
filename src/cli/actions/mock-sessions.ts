import { Failure, UserError } from '../user-error.js'

/** A persona as the control plane of a running mock tells it. */
export type Persona = { id: string; email: string; orgCode?: string; role?: string; note?: string }

/** The personas of a mock, and the one that `session=active` stands for. */
export type MockSessions = { active?: string; sessions: Persona[] }

/** The personas of the mock at this address. @throws Failure where no mock answers there */
export const listPersonas = (url: string): Promise<MockSessions> => call(url, '/__dev/sessions')

/** The persona that `session=active` stands for. @throws Failure where there is none, or no mock answers */
export async function activePersona(url: string): Promise<Persona> {
  const persona = activeOf(await listPersonas(url))
  if (persona) return persona
  throw new Failure(
    `The mock at ${url} has no active persona.`,
    'Choose one with "npx dashboard-api session use".',
  )
}

/** Makes `session=active` stand for this persona from the next request on. @throws UserError for an unknown one */
export async function choosePersona(url: string, id: string): Promise<Persona> {
  const chosen = await call(url, '/__dev/sessions/active', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id }),
  })
  return activeOf(chosen) as Persona
}

const activeOf = ({ active, sessions }: MockSessions) => sessions.find(({ id }) => id === active)

async function call(url: string, path: string, init?: RequestInit): Promise<MockSessions> {
  const response = await fetch(new URL(path, url), {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(5_000),
  }).catch((error: Error) => {
    throw new Failure(`No mock answers at ${url} (${reasonOf(error)}).`, startHint)
  })
  const body = await response.json().catch(() => undefined)
  if (response.ok && Array.isArray(body?.sessions)) return body
  if (init && response.status === 404 && typeof body?.error === 'string') {
    throw new UserError(body.error, '"npx dashboard-api session list" shows the personas.')
  }
  throw new Failure(
    `What answers at ${url} is not a dashboard-api mock (status ${response.status}).`,
    startHint,
  )
}

const startHint = 'Start one with "npx dashboard-api dev", or say where it runs with --url.'

/** What `fetch` met; its own message says only that it failed. */
function reasonOf({ cause, message }: Error): string {
  const { code, message: why } = (cause ?? {}) as NodeJS.ErrnoException
  return code ?? why ?? message
}
