import { lookup } from 'node:dns/promises'
import { v7 as uuid } from 'uuid'
import { openSqliteStore } from '../store/sqlite-store.js'
import { type AppOptions, createApp } from './app.js'
import { trackConnections } from './connections.js'
import { createSessionCookies } from './session-cookie.js'
import type { Settings } from './settings.js'

export type RunningServer = {
  /** Where it listens, e.g. `http://127.0.0.1:8080`. */
  url: string
  /** Finishes what is in flight, then closes the database; a second call waits for the first. */
  close(): Promise<void>
}

export type ServerOptions = {
  /** Where the log goes; standard output, if left out. */
  logStream?: NonNullable<AppOptions['log']>['stream']
  /** How long what is in flight may take once it closes, in milliseconds. */
  drainMs?: number
}

/**
 * Starts production: opens the database, and listens.
 * @param options.drainMs with the default, and a second for the database, a close takes 10 s at most
 * @throws DatabaseRefusedError for a file that is not a database of ours; or the system's error, its `code` with
 * it, where the address cannot be listened on (EADDRINUSE: the port is taken). Nothing stays open then.
 */
export async function startServer(
  settings: Settings,
  { logStream, drainMs = 9_000 }: ServerOptions = {},
): Promise<RunningServer> {
  // Fastify would listen twice for `localhost`, the second time with a server that nobody keeps track of.
  const { address: host } = await lookup(settings.host)
  const store = await openSqliteStore(settings.database)
  const app = createApp({
    store,
    cookies: createSessionCookies(settings.sessionSecret),
    idleMs: settings.sessionIdle,
    now: () => new Date(),
    newId: () => uuid(),
    publicUrl: settings.publicUrl,
    docsUrl: settings.docsUrl,
    log: { level: settings.logLevel, stream: logStream },
  })
  const connections = trackConnections(app.server)

  let closing: Promise<void> | undefined
  const close = async () => {
    const deadline = setTimeout(connections.destroy, drainMs)
    const closed = app.close()
    connections.drain()
    await closed
    clearTimeout(deadline)
    await store.close()
  }

  try {
    await app.listen({ host, port: settings.port })
  } catch (error) {
    await close()
    throw error
  }
  return {
    url: app.listeningOrigin,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
