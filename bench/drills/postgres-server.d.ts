/** A PostgreSQL that can be killed. */
export type DrillServer = {
  folder: string
  port: number
  url: string
  start(): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
  query<Row = Record<string, unknown>>(
    sql: string,
    options?: { in?: string; values?: unknown[] },
  ): Promise<Row[]>
}

/** Makes a data folder with an empty database, and starts a server on it. */
export function createPostgres(
  folder: string,
  settings?: Record<string, string | number>,
): Promise<DrillServer>
/** Makes a standby of a running server. It is not started. */
export function createStandby(
  primary: DrillServer,
  folder: string,
  options?: { port?: number; follows?: number },
): Promise<DrillServer>
