import type { ClockSetting } from '../../mock/core/clock.js'
import { ControlError } from '../../mock/core/control-error.js'
import type { Controls } from '../../mock/core/controls.js'
import type { LogEntry } from '../../mock/core/request-log.js'
import { startDevServer } from '../../mock/http/dev-server.js'
import { StateError } from '../../store/state-file.js'
import { Failure, UserError } from '../user-error.js'
import { listenFailure } from './listening.js'
import { asFileRefusal, readStateFile } from './read-state-file.js'

export type DevOptions = {
  host: string
  port: number
  strictPort?: boolean
  /** The path of a state file; saving it reloads it. */
  fixtures: string
  /** The persona that `session=active` stands for at first. */
  session?: string
  /** How long answers wait, in milliseconds: `300` or `200-800`. */
  delay?: string
  clock?: ClockSetting
  /** Makes ids and the spread of delays repeat. */
  seed?: number
  /** The path of a state file that keeps the state over restarts. */
  persist?: string
  /** The folder for snapshots. */
  snapshots: string
  onRequest(entry: LogEntry): void
  /** Told after each reload of the fixtures; with what is wrong where the last good state stays. */
  onFixtures(refusal?: string): void
}

export type RunningMock = {
  url: string
  /** The port that was asked for, where another was taken instead. */
  takenPort?: number
  controls: Controls
  close(): Promise<void>
}

/**
 * Serves the mock. Anybody may be anyone there, so it never starts where NODE_ENV says production.
 * @throws UserError for production, a refused file, an unknown persona, a wrong delay or clock; Failure for a port
 */
export async function startMock(options: DevOptions): Promise<RunningMock> {
  if (process.env.NODE_ENV === 'production') {
    throw new UserError(
      'The mock does not start where NODE_ENV is production: everybody may sign in as anybody.',
      'Run "npx dashboard-api serve" for production, or unset NODE_ENV.',
    )
  }
  const { fixtures: file, port, onFixtures } = options
  const fixtures = await readStateFile(file)
  const { url, mock, close } = await startDevServer({
    ...options,
    fixtures,
    watch: file,
    onFixtures: (error) =>
      onFixtures(error && `${file} is wrong, the last good state stays: ${oneLine(error)}`),
  }).catch((error) => {
    throw startFailure(error, options)
  })
  const isElsewhere = port !== 0 && Number(new URL(url).port || 80) !== port
  return { url, takenPort: isElsewhere ? port : undefined, controls: mock.controls, close }
}

function startFailure(error: unknown, { host, port, persist }: DevOptions): unknown {
  if (error instanceof ControlError) return new UserError(error.message)
  if (persist !== undefined && error instanceof StateError) return asFileRefusal(persist, error)
  if (persist !== undefined && isFileError(error)) {
    return new Failure(`${persist} cannot keep the state: ${error.message}`, 'Choose another --persist.')
  }
  return listenFailure(error, host, port)
}

/** What the file system met; a port that is taken has no path. */
const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && ('path' in error || error.code === 'EISDIR')

const oneLine = ({ message }: Error): string => message.replaceAll('\n', '; ')
