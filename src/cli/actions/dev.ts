import { startDevServer } from '../../mock/dev-server.js'
import type { SessionRecord } from '../../store/state.js'
import type { DevRequest } from '../dev-request.js'
import { UserError } from '../user-error.js'
import { listenFailure } from './listening.js'
import { readStateFile } from './read-state-file.js'

export type DevOptions = {
  host: string
  port: number
  strictPort?: boolean
  /** The path of a state file. */
  fixtures: string
  /** The persona that `session=active` stands for at first. */
  session?: string
  onRequest(entry: DevRequest): void
}

export type RunningMock = {
  url: string
  /** The port that was asked for, where another was taken instead. */
  takenPort?: number
  personas: SessionRecord[]
  /** The persona that `session=active` stands for now. */
  active(): Promise<SessionRecord | undefined>
  close(): Promise<void>
}

/**
 * Serves the mock. Anybody may be anyone there, so it never starts where NODE_ENV says production.
 * @throws UserError for production, a refused fixture, and an unknown persona; Failure for a port
 */
export async function startMock(options: DevOptions): Promise<RunningMock> {
  if (process.env.NODE_ENV === 'production') {
    throw new UserError(
      'The mock does not start where NODE_ENV is production: everybody may sign in as anybody.',
      'Run "npx dashboard-api serve" for production, or unset NODE_ENV.',
    )
  }
  const { host, port } = options
  const fixtures = await readStateFile(options.fixtures)
  refuseUnknownPersona(fixtures.sessions, options.session)

  const { url, mock, close } = await startDevServer({ ...options, fixtures }).catch((error) => {
    throw listenFailure(error, host, port)
  })
  const isElsewhere = port !== 0 && Number(new URL(url).port || 80) !== port
  return {
    url,
    takenPort: isElsewhere ? port : undefined,
    personas: fixtures.sessions,
    active: mock.session.current,
    close,
  }
}

function refuseUnknownPersona(personas: SessionRecord[], id: string | undefined): void {
  if (id === undefined || personas.some((persona) => persona.id === id)) return
  throw new UserError(
    `The fixtures have no persona "${id}".`,
    `Choose one of: ${personas.map((persona) => persona.id).join(', ')}.`,
  )
}
