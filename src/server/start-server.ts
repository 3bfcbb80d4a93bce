import { lookup } from 'node:dns/promises'
import { statfs } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { loopbackHost } from '../http/loopback-server.js'
import { newId } from '../store/new-id.js'
import { fileReadableByOthers, openStore } from '../store/open/open-store.js'
import { type AppOptions, createApp } from './app.js'
import { createAuditTrail } from './observability/audit-trail.js'
import { type Build, createMetrics } from './observability/metrics.js'
import { listenForMetrics } from './observability/metrics-routes.js'
import { startSelfCheck } from './observability/self-check.js'
import { removeOld } from './sessions/remove-old.js'
import { setupOptions } from './settings/database-setup.js'
import type { Settings } from './settings/settings.js'

export type ServerOptions = {
  /** The running program, for the log and the metrics. */
  build?: Pick<Build, 'version' | 'commit'>
  /** The destination of the log. Default: standard output. */
  logStream?: AppOptions['logStream']
  /** The time limit of requests in flight while the server closes, in milliseconds. */
  drainMs?: number
  /**
   * How long a closing server waits for the next request on each kept-alive connection, in milliseconds. That request is
   * answered with `Connection: close`; closing the connection at once could reset a request on its way.
   */
  idleGraceMs?: number
  /** The interval of removing expired sessions, in milliseconds. */
  cleanMs?: number
  /** The interval of self-checks, in milliseconds. */
  checkMs?: number
  /** Called if the database is not open after two seconds. */
  onSlowDatabase?(): void
}

/**
 * Starts production: opens the database, and listens.
 * @param options.drainMs with the default, and a second for the database, closing takes 10 s at most, after the drain delay
 *   of the settings
 * @throws DatabaseRefusedError if the database belongs to another program; the system's error if it cannot listen on the
 *   address (EADDRINUSE: the port is taken). Nothing stays open then.
 */
export async function startServer(
  settings: Settings,
  {
    build,
    logStream,
    drainMs = 9_000,
    idleGraceMs = 1_000,
    cleanMs = 600_000,
    checkMs,
    onSlowDatabase = () => {},
  }: ServerOptions = {},
) {
  // Before the database is opened: an unknown host creates no file.
  const host = await addressOf(settings.host)
  const { database, databaseSetup, metricsAddress, metricsToken, drainDelay } = settings
  const metricsHost = await addressOf(metricsAddress?.host ?? host)
  // Called when the metrics are read, after `store`, `selfCheck` and `shell` exist.
  const metrics = createMetrics({
    waitingWrites: () => store.waitingWrites(),
    openSessions: () => store.countOpenSessions(new Date().toISOString()),
    unready: () => selfCheck.unready(),
    clockSkewMs: () => selfCheck.clockSkewMs(),
    closedConnections: () => shell.connections.closedForLimits(),
    // Disk and backups of PostgreSQL are elsewhere.
    ...(database.kind === 'sqlite' && {
      async disk() {
        const { blocks, bavail, bsize } = await statfs(database.file)
        return { size: blocks * bsize, free: bavail * bsize }
      },
      backupAgeMs: () => selfCheck.backupAgeMs(),
    }),
  })
  let onLost = (_: Error) => {}
  const lost = new Promise<Error>((resolve) => {
    onLost = resolve
  })
  let isLost = false
  // The log begins after the database is open.
  const warnings: string[] = []
  let warn = (warning: string): unknown => warnings.push(warning)
  const slow = setTimeout(onSlowDatabase, 2_000)
  const store = await openStore(database, {
    passwordFile: settings.databasePasswordFile,
    poolSize: settings.databasePoolSize,
    timeoutMs: settings.databaseTimeout,
    ...setupOptions(databaseSetup),
    checkFully: true,
    onAudit: (entry) => app.log.info({ audit: entry }, 'audit'),
    onCall: metrics.onStoreCall,
    auditProjects: settings.auditProjects,
    onWarning: (warning) => warn(warning),
    onLost(fault) {
      isLost = true
      app.log.fatal({ err: fault, database: database.name }, 'the database is lost: the service ends')
      selfCheck.lose(fault)
      onLost(fault)
    },
  }).finally(() => clearTimeout(slow))
  const selfCheck = startSelfCheck({
    store,
    everyMs: checkMs,
    log: (level, fields, message) => app.log[level](fields, message),
  })
  const metricsOptions = { metrics, token: metricsToken }
  const audit = createAuditTrail(store, (error) =>
    app.log.warn({ err: error }, 'a failed sign-in was not recorded'),
  )
  const shell = createApp({
    ...settings,
    store,
    health: {
      selfCheck,
      metrics: metricsToken !== undefined && metricsAddress === undefined ? metricsOptions : undefined,
    },
    onRequestComplete: metrics.onRequestComplete,
    onSignIn(event) {
      metrics.onSignIn(event.failure)
      audit.onSignIn(event)
    },
    onSignOut: metrics.onSignOut,
    requestCounts: store.requestCounts,
    overload: {},
    now: () => new Date(),
    newId,
    logStream,
  })
  const { app } = shell
  app.log.info({ ...build }, 'the service starts')
  warn = (warning) => app.log.warn({ database: database.name }, warning)
  for (const warning of warnings) warn(warning)
  // The service starts without waiting for the counts, which take long for large tables.
  const description = await store
    .describe()
    .catch((error) => void app.log.warn({ err: error }, 'the database could not be described'))
  if (description) {
    const { created, migrated, ...found } = description
    if (migrated) app.log.info({ database: database.name, ...migrated }, 'the database was migrated')
    const what = created ? 'the database did not exist and was created' : 'the database was found'
    app.log.info({ database: database.name, created, ...found }, what)
    // Records the creation or migration of the database in the audit log.
    const [entry] =
      created || migrated ? await store.auditAfter(undefined, 1, { action: 'database' }).catch(() => []) : []
    if (entry) app.log.info({ audit: entry }, 'audit')
  }
  metrics.onStart({ ...build, schema: description?.version })
  const readable = await fileReadableByOthers(database)
  if (readable !== undefined) {
    const advice = `other users of this machine can read it; run: chmod 600 ${readable}*`
    app.log.warn({ database: database.name }, `the database is not private: ${advice}`)
  }
  const removal = removeOld(store, { everyMs: cleanMs, auditMs: settings.auditRetention, log: app.log })

  let closing: Promise<void> | undefined
  let metricsListener: Awaited<ReturnType<typeof listenForMetrics>> | undefined
  const close = async () => {
    await shell.drain({ idleGraceMs, drainMs })
    await metricsListener?.close()
    selfCheck.stop()
    await removal.stop()
    await audit.close()
    await store.close()
  }
  const drainAndClose = async () => {
    selfCheck.drain()
    if (drainDelay && !isLost) await wait(drainDelay)
    await close()
  }

  try {
    await shell.listen({ host, port: settings.port })
    if (metricsAddress) {
      const { port } = metricsAddress
      metricsListener = await listenForMetrics({ host: metricsHost, port }, metricsOptions)
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    /** The URL, e.g. `http://127.0.0.1:8080`. */
    url: shell.origin(),
    /** The URL of the metrics, if they have a separate port. */
    metricsUrl: metricsListener?.url,
    /** Resolves when the database file was found replaced, removed or damaged: the process should end and start again. */
    lost,
    /** Finishes the requests in flight, then closes the database. A second call waits for the first. */
    close: () => {
      closing ??= drainAndClose()
      return closing
    },
  }
}

/** The address of a host; `localhost` stays a name, since it means two addresses. @throws the system's error */
const addressOf = async (host: string): Promise<string> =>
  host === loopbackHost ? host : (await lookup(host)).address
