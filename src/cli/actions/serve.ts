import type { SettingName } from '../../server/settings/settings-table.js'
import { type RunningServer, startServer } from '../../server/start-server.js'
import { databaseFailure } from './database.js'
import { listenFailure } from './listening.js'
import { requireSettings } from './settings.js'

/** Production that runs. Its log is held back until `releaseLog`, so that the caller's first line is the first. */
export type Production = RunningServer & {
  /** How long closing takes at most, in milliseconds. */
  closesWithinMs: number
  /** How people sign in, in a sentence. */
  signIn: string
  releaseLog(): void
}

/**
 * Starts production with these flags and the environment.
 * @param log gets every line of the log, its end of line included
 * @throws UserError for refused settings or a refused database, Failure for a port
 */
export async function startProduction(
  flags: { [Name in SettingName]?: string },
  log: (line: string) => void,
): Promise<Production> {
  const settings = requireSettings(flags)
  let held: string[] | undefined = []
  const write = (line: string) => (held ? void held.push(line) : log(line))

  const server = await startServer(settings, { logStream: { write } }).catch((error) => {
    // The metrics may have a port of their own: the system says which one it was.
    const { host, port } = { ...settings, ...('port' in error && { host: error.address, port: error.port }) }
    throw databaseFailure(listenFailure(error, host, port))
  })
  return {
    ...server,
    closesWithinMs: 10_000 + (settings.drainDelay ?? 0),
    signIn: settings.oidcIssuer
      ? `People sign in at ${settings.oidcIssuer}, which has to know ${settings.publicUrl ?? server.url}/auth/callback`
      : 'No identity provider is configured: only sessions issued from the command line can sign in.',
    releaseLog() {
      held?.forEach(log)
      held = undefined
    },
  }
}
