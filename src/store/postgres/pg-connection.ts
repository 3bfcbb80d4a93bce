import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { StoreUnavailableError } from '../store.js'
import type { ConnectionOptions, Host, SessionAttributes } from './connection-options.js'
import { loadPostgresDriver } from './pg-driver.js'
import { connectingError, databaseError, endsConnection } from './pg-errors.js'

/** A value bound to a statement. */
export type Value = string | number | null | string[]

/** One connection to a server. Its calls run one at a time. Statements are prepared once, unless a pooler is in between. */
export type Connection = {
  /** Runs a statement and returns its rows. */
  all<Row = Record<string, unknown>>(sql: string, ...values: Value[]): Promise<Row[]>
  /** Runs a statement and returns the number of rows that it changed. */
  run(sql: string, ...values: Value[]): Promise<number>
  /** Runs a script of several statements. */
  exec(script: string): Promise<void>
  /**
   * Whether it can be used: not after it was lost, or after a statement that did not end in time; for a second only where
   * it leads to a second choice.
   */
  isUsable(): boolean
  close(): Promise<void>
}

export type TimeLimits = {
  /** How long connecting may take, over all hosts, in milliseconds. */
  connectMs: number
  /** How long a statement may take, in milliseconds; 0 is no limit. */
  statementMs: number
}

/** How much later than the server the client ends a statement, in milliseconds: the server says why. */
const graceMs = 500

/** For how long a connection to a second choice is used, in milliseconds: the first choice may be back. */
const secondChoiceMs = 1000

/** The host that answered last, and how: one that is down, or has no TLS, is not waited for each time. */
const lastWays = new WeakMap<ConnectionOptions, Way>()
type Way = { host: Host; tls: ConnectionOptions['tls'][number] }

/** The elements of a list, with the one that succeeded last at the beginning. */
const startingWith = <T>(list: T[], last: T | undefined): T[] =>
  last === undefined ? list : [last, ...list.filter((each) => each !== last)]

/**
 * Connects to the first host that answers and has the wanted attributes.
 * @throws StoreUnavailableError where there is none; DriverMissingError
 */
export async function connect(options: ConnectionOptions, limits: TimeLimits): Promise<Connection> {
  const { Client } = loadPostgresDriver()
  const { name } = options
  const hosts = startingWith(options.hosts, lastWays.get(options)?.host)
  const attempts = choices(options).flatMap((attributes, choice) =>
    hosts.map((host) => ({
      host,
      attributes,
      usableMs: choice === 0 ? Number.POSITIVE_INFINITY : secondChoiceMs,
    })),
  )
  const deadline = performance.now() + limits.connectMs
  const faults: Error[] = []
  for (const [i, { host, attributes, usableMs }] of attempts.entries()) {
    try {
      // Each host has its share of the time that is left.
      const connectMs = Math.max(1, (deadline - performance.now()) / (attempts.length - i))
      return await connectTo(Client, host, attributes, options, { ...limits, connectMs, usableMs })
    } catch (error) {
      faults.push(error as Error)
    }
  }
  const [fault] = faults
  if (faults.length === 1) throw fault
  const reasons = faults.map((each) => (each.cause as Error | undefined)?.message || each.message)
  const reason = [...new Set(reasons)].join('; ')
  throw new StoreUnavailableError(`The database ${name} cannot be used for now (${reason})`, {
    cause: fault,
  })
}

/** The attributes to look for, the first choice first. */
function choices({ hosts, sessionAttributes }: ConnectionOptions): SessionAttributes[] {
  if (sessionAttributes === 'prefer-standby') return ['standby', 'any']
  // Of several hosts the one that accepts writes is better than any.
  return sessionAttributes === 'any' && hosts.length > 1 ? ['read-write', 'any'] : [sessionAttributes]
}

async function connectTo(
  Client: ReturnType<typeof loadPostgresDriver>['Client'],
  host: Host,
  attributes: SessionAttributes,
  options: ConnectionOptions,
  { connectMs, statementMs, usableMs }: TimeLimits & { usableMs: number },
): Promise<Connection> {
  const { name, user, database, applicationName } = options
  const ways = startingWith(options.tls, lastWays.get(options)?.tls)
  for (const [i, tls] of ways.entries()) {
    const client = new Client({
      ...host,
      user,
      database,
      application_name: applicationName,
      ssl: tls,
      password: () => options.password(host),
      keepAlive: true,
      connectionTimeoutMillis: Math.ceil(connectMs),
      ...(statementMs > 0 && { query_timeout: statementMs + graceMs }),
    })
    // A lost connection is noticed by its next use.
    client.on('error', () => {})
    try {
      await client.connect()
      const isPooled = await prepareSession(client, { attributes, host, statementMs })
      lastWays.set(options, { host, tls })
      return overClient(name, client, isPooled, usableMs)
    } catch (error) {
      void client.end().catch(() => {})
      const isLast = i === ways.length - 1
      if (isLast || !mayUseOther(error as Error)) throw connectingError(name, error)
    }
  }
  throw new StoreUnavailableError(`The database ${name} has no way to connect`)
}

/** Whether another way to connect, with or without TLS, may succeed. */
const mayUseOther = (error: Error & { code?: string }): boolean =>
  /SSL|TLS/.test(error.message) || error.code === '28000'

/**
 * Sets what the statements rely on, and checks that the server has the wanted attributes.
 * @returns whether a pooler is in between, which shows itself by another process id: it may run each statement in another
 *   session of the server, so that a session keeps no settings, and no statements that were prepared
 */
async function prepareSession(
  client: Client,
  { attributes, host, statementMs }: { attributes: SessionAttributes; host: Host; statementMs: number },
): Promise<boolean> {
  const { processID = 0 } = client as { processID?: number }
  // Every query looks rows up by key. With few rows in a table the planner would read the whole of it.
  const settings = {
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    // A statement is planned once. Its values say nothing that the plan could use.
    plan_cache_mode: 'force_generic_plan',
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
  }
  const set = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`)
  const { rows } = await client.query<{ isPooled: boolean; isStandby: boolean; isReadOnly: boolean }>({
    text: `SELECT pg_backend_pid() <> $1 AS "isPooled", pg_is_in_recovery() AS "isStandby",
      current_setting('transaction_read_only') = 'on' AS "isReadOnly",
      CASE WHEN pg_backend_pid() = $1 THEN concat(${set}) END`,
    values: [processID],
  })
  const { isPooled = true, isStandby = false, isReadOnly = false } = rows[0] ?? {}
  const isWanted = {
    any: true,
    'read-write': !isReadOnly,
    'read-only': isReadOnly,
    primary: !isStandby,
    standby: isStandby,
    'prefer-standby': true,
  }[attributes]
  if (!isWanted) throw new StoreUnavailableError(`The server ${host.host}:${host.port} is not ${attributes}`)
  return isPooled
}

/** The name of a prepared statement: the same in every process, so that it never names another statement. */
function statementName(sql: string): string {
  const known = statementNames.get(sql)
  if (known !== undefined) return known
  const name = `dashboard_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`
  statementNames.set(sql, name)
  return name
}

/** There is a fixed number of statements. */
const statementNames = new Map<string, string>()

function overClient(name: string, client: Client, isPooled: boolean, usableMs: number): Connection {
  const usableUntil = performance.now() + usableMs
  let isUsable = true
  client.on('end', () => {
    isUsable = false
  })
  const query = async (sql: string, values?: Value[]) => {
    try {
      const isPrepared = values !== undefined && !isPooled
      return await client.query({ text: sql, values, ...(isPrepared && { name: statementName(sql) }) })
    } catch (error) {
      if (endsConnection(error)) isUsable = false
      throw databaseError(name, error)
    }
  }
  return {
    all: async <Row>(sql: string, ...values: Value[]) => (await query(sql, values)).rows as Row[],
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
    exec: async (script) => void (await query(script)),
    isUsable: () => isUsable && performance.now() < usableUntil,
    close: () => client.end().catch(() => {}),
  }
}
