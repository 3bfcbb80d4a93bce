import type { ChaosSetting } from '../mock/core/chaos.js'
import type { ClockSetting } from '../mock/core/clock.js'
import { ControlError } from '../mock/core/control-error.js'
import type { Controls } from '../mock/core/controls.js'
import type { LogEntry } from '../mock/core/request-log.js'
import { startDevServer } from '../mock/http/dev-server.js'
import { HandlersError } from '../mock/http/handlers-error.js'
import { StateError } from '../store/state-file.js'
import { listenFailure } from './listen-failure.js'
import { printError } from './output/output.js'
import { readStateFile, stateFailure } from './read-state-file.js'
import { Failure, UserError } from './user-error.js'

export type DevOptions = {
  host: string
  port: number
  strictPort?: boolean
  /** The path of a state file; it is reloaded when it changes. */
  fixtures: string
  /** Who is signed in at the start, and the initial persona of `session=active`. */
  session?: string
  /** The delay of responses in milliseconds: `300` or `200-800`. */
  delay?: string
  /** Which requests fail at random. */
  chaos?: ChaosSetting
  clock?: ClockSetting
  /** Makes ids, random delays and chaos repeatable. */
  seed?: number
  /** The path of a state file that keeps the state over restarts. */
  persist?: string
  /** A JavaScript or TypeScript file of MSW handlers, which come first. It is reloaded when it changes. */
  handlers?: string
  /** The folder for snapshots. */
  snapshots: string
  /** The most requests that the log has. */
  logSize?: number
  /** The origins whose pages may use the mock from there. Defaults to every loopback origin. */
  allowedOrigins?: string[]
  /** The host names by which clients may call the mock, beside loopback and `host`. */
  allowedHosts?: string[]
  events: MockEvents
}

export type MockEvents = {
  onRequest(entry: LogEntry): void
  /** Called after each reload; with the error if the file is wrong, and what was valid last stays. */
  onReload(what: 'fixtures' | 'handlers', refusal?: string): void
  /** Called with the first loopback origin that is allowed by default. */
  onCrossOrigin(origin: string): void
}

export type RunningMock = {
  url: string
  /** The requested port, if it is taken and another one is used. */
  takenPort?: number
  /** What is remarkable about the state that an earlier run saved. */
  warning?: string
  controls: Controls
  close(): Promise<void>
}

/**
 * Starts the mock. It has no authentication, so it refuses to start if NODE_ENV is production.
 * @throws UserError for production, an invalid file, an unknown persona, an invalid delay or clock; Failure for a port
 */
export async function startMock(options: DevOptions): Promise<RunningMock> {
  if (process.env.NODE_ENV === 'production') {
    throw new UserError(
      'The mock does not start with NODE_ENV=production: it lets everybody sign in as anybody.',
      'Run "npx dashboard-api serve" for production, or unset NODE_ENV.',
    )
  }
  const { fixtures: file, port, events } = options
  const fixtures = await readStateFile(file)
  const { url, mock, warning, close } = await startDevServer({
    ...options,
    hosts: [options.host, ...(options.allowedHosts ?? [])],
    fixtures,
    watch: file,
    onError: (error) => printError(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    onRequest: (entry) => events.onRequest(entry),
    onCrossOrigin: (origin) => events.onCrossOrigin(origin),
    onFixtures: (error) =>
      events.onReload('fixtures', error && `${file} is wrong, the last good state stays: ${oneLine(error)}`),
    onHandlers: (error) =>
      events.onReload(
        'handlers',
        error && `${options.handlers} is wrong, the last good handlers stay: ${oneLine(error)}`,
      ),
  }).catch(async (error) => {
    throw await startFailure(error, options)
  })
  const isOtherPort = port !== 0 && Number(new URL(url).port || 80) !== port
  return { url, takenPort: isOtherPort ? port : undefined, warning, controls: mock.controls, close }
}

function startFailure(error: unknown, { host, port, persist, handlers }: DevOptions): unknown {
  if (error instanceof HandlersError) {
    return new UserError(
      `The handlers of ${handlers} cannot be used: ${error.message}`,
      'Export a list of MSW handlers, as `handlers` or as the default export.',
    )
  }
  if (error instanceof ControlError) return new UserError(error.message)
  if (persist !== undefined && error instanceof StateError) return stateFailure(persist, error)
  if (persist !== undefined && isFileError(error)) {
    return new Failure(
      `The state cannot be saved in ${persist}: ${error.message}`,
      'Choose another --persist.',
    )
  }
  return listenFailure(error, host, port)
}

/** A file system error, not a taken port, which has no path. */
const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && ('path' in error || error.code === 'EISDIR')

const oneLine = ({ message }: Error): string => message.replaceAll('\n', '; ')
