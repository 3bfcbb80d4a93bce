import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { operationNames } from '../../contract/operations.js'
import { coalesce } from '../../store/coalesce.js'
import type { OnStoreCall } from '../../store/sql/sql-store.js'
import { type SignInFailure, signInFailures } from '../sign-in/sign-in-error.js'
import type { CompletedRequest } from './access-log.js'
import { type Unready, unreadyReasons } from './self-check.js'

export type Metrics = ReturnType<typeof createMetrics>

/** The version and commit of the program, and the version of the database's schema. */
export type Build = { version?: string; commit?: string; schema?: number }

/** Values that are measured when the metrics are read. An absent one does not apply to the database. */
export type Gauges = {
  waitingWrites(): number
  openSessions(): Promise<number>
  /** The reasons why the service is not ready. */
  unready(): Unready[]
  clockSkewMs(): number
  /** The number of connections that were closed because of a limit. */
  closedConnections(): number
  /** The size of the disk, and its free space, in bytes. */
  disk?(): Promise<{ size: number; free: number }>
  backupAgeMs?(): number
}

/** The upper bounds of the buckets for times, in seconds. */
const timeBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The operations whose failures are alerted, see deploy/prometheus-rules.yaml. */
const monitored = [...operationNames, 'signIn', 'signInCallback', 'signOut', 'backChannelLogout']

/** The metrics of one server, in its own registry. No label has a value that a caller chooses. */
export function createMetrics({ disk, backupAgeMs, ...gauges }: Gauges) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `dashboard_api_${name}_total`, help, labelNames, registers })
  const seconds = <Label extends string>(name: string, help: string, label: Label) =>
    new Histogram({
      name: `dashboard_api_${name}_duration_seconds`,
      help,
      labelNames: [label],
      buckets: timeBuckets,
      registers,
    })
  const requests = counter(
    'requests',
    'Requests by operation and status; the operation is empty where there is no such path.',
    ['operation', 'status'],
  )
  // A counter that begins at 0 shows its first increase.
  for (const operation of monitored)
    for (const status of [429, 500, 503]) requests.inc({ operation, status }, 0)
  const requestTime = seconds(
    'request',
    'Time from the head of a request to the end of its response, by operation.',
    'operation',
  )
  const storeTime = seconds(
    'store',
    'Time of queries (read) and transactions (write) of the store, with the wait for a connection, by method.',
    'method',
  )
  const signIns = counter(
    'sign_ins',
    'Sign-ins by outcome and reason: unfinished, unreachable, unacceptable (the provider), service (this one).',
    ['outcome', 'reason'],
  )
  const signInsStarted = counter('sign_ins_started', 'Browsers that were sent to the identity provider.')
  const signOuts = counter('sign_outs', 'Sessions that were ended by signing out.')
  new Counter({
    name: 'dashboard_api_connections_closed_total',
    help: 'Connections that were closed because a limit of connections, or of requests on one, was exceeded.',
    registers,
    collect() {
      this.reset()
      this.inc(gauges.closedConnections())
    },
  })
  const buildInfo = new Gauge({
    name: 'dashboard_api_build_info',
    help: 'Always 1; the labels have the version of the program, its commit, and the version of the schema.',
    labelNames: ['version', 'commit', 'schema'],
    registers,
  })
  signIns.inc({ outcome: 'success', reason: '' }, 0)
  for (const reason of signInFailures) signIns.inc({ outcome: 'failure', reason }, 0)
  new Gauge({
    name: 'dashboard_api_ready',
    help: '0 while the service should get no requests for this reason, otherwise 1.',
    labelNames: ['reason'],
    registers,
    collect() {
      const reasons = gauges.unready()
      for (const reason of unreadyReasons) this.set({ reason }, reasons.includes(reason) ? 0 : 1)
    },
  })
  /** A gauge that is NaN if it cannot be read. */
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name: `dashboard_api_${name}`,
      help,
      registers,
      async collect() {
        this.set(await Promise.resolve(read()).catch(() => Number.NaN))
      },
    })
  gauge('store_waiting_writes', 'Writes that wait in the queue of the store.', gauges.waitingWrites)
  gauge(
    'open_sessions',
    'Sessions that are neither revoked nor expired; NaN where the database cannot be read.',
    gauges.openSessions,
  )
  gauge(
    'clock_skew_seconds',
    "How far this machine's clock is ahead of the database's.",
    () => gauges.clockSkewMs() / 1000,
  )
  if (disk) {
    gauge('disk_free_bytes', 'Free space of the disk with the database.', async () => (await disk()).free)
    gauge('disk_size_bytes', 'Size of the disk with the database.', async () => (await disk()).size)
  }
  if (backupAgeMs) {
    const help = 'Time since the last backup was made and checked; +Inf if there is none.'
    gauge('backup_age_seconds', help, () => backupAgeMs() / 1000)
  }

  return {
    onRequestComplete({ operation = '', status, ms }: CompletedRequest): void {
      requests.inc({ operation, status })
      requestTime.observe({ operation }, ms / 1000)
      if (operation === 'signIn' && status === 303) signInsStarted.inc()
    },
    /** @param reason why the sign-in failed; undefined for a success */
    onSignIn: (reason?: SignInFailure) =>
      signIns.inc(reason ? { outcome: 'failure', reason } : { outcome: 'success', reason: '' }),
    onSignOut: () => signOuts.inc(),
    onStart: ({ version = '', commit = '', schema }: Build) =>
      buildInfo.set({ version, commit, schema: schema ?? '' }, 1),
    onStoreCall: (({ method, ms }) => storeTime.observe({ method }, ms / 1000)) satisfies OnStoreCall,
    /** All metrics in Prometheus' text format. Concurrent calls share their queries. */
    text: coalesce(() => registry.metrics()),
    contentType: registry.contentType as string,
  }
}
