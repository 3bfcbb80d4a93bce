import { readFile } from 'node:fs/promises'
import { ControlError } from '../mock/core/control-error.js'
import type { LogEntry } from '../mock/core/log-entry.js'
import { type DevServerOptions, startDevServer } from '../mock/http/dev-server.js'
import { HandlersError } from '../mock/http/handlers-error.js'
import { StateError } from '../store/state-file.js'
import { readFailure } from './files.js'
import { printError } from './output/output.js'
import { readStateFile, stateFailure } from './read-state-file.js'
import { Failure, UserError } from './user-error.js'

type DevOptions = Omit<DevServerOptions, 'fixtures'> & {
  /** The path of a state file; it is reloaded when it changes. */
  fixtures: string
  host: string
  port: number
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

/** A mock; `takenPort` is the requested port, if another one is used. */
export type RunningMock = Awaited<ReturnType<typeof startMock>>

/**
 * Starts the mock. It has no authentication, so it refuses to start if NODE_ENV is production.
 * @throws UserError for production, an invalid file, an unknown persona, an invalid delay or clock; Failure for a port
 */
export async function startMock(options: DevOptions) {
  if (process.env.NODE_ENV === 'production') {
    throw new UserError(
      'The mock does not start with NODE_ENV=production: it lets everybody sign in as anybody.',
      'Run "npx dashboard-api serve" for production, or unset NODE_ENV.',
    )
  }
  const { fixtures: file, port, events } = options
  const fixtures = await readStateFile(file)
  const onError = (error: unknown) =>
    printError(error instanceof Error ? (error.stack ?? error.message) : String(error))
  // What a handler of one's own throws after its response, or in a promise that nobody awaits, does not end the mock.
  if (options.handlers !== undefined) process.on('uncaughtException', onError)
  const { url, mock, warning, close } = await startDevServer({
    ...options,
    hosts: [options.host, ...(options.allowedHosts ?? [])],
    fixtures,
    watch: file,
    onError,
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

async function startFailure(error: unknown, { persist, handlers = '' }: DevOptions) {
  if (error instanceof HandlersError) return handlersFailure(handlers, error)
  if (error instanceof ControlError) return new UserError(error.message)
  if (persist !== undefined && error instanceof StateError) return stateFailure(persist, error)
  if (persist !== undefined && isFileError(error)) {
    return new Failure(
      `The state cannot be saved in ${persist}: ${error.message}`,
      'Choose another --persist.',
    )
  }
  return error
}

async function handlersFailure(file: string, error: HandlersError) {
  const hint = 'Give the path of a JavaScript or TypeScript file of MSW handlers.'
  const unreadable = await readFile(file).catch((cause) =>
    readFailure(`The handlers file ${file}`, cause, hint),
  )
  if (unreadable instanceof UserError) return unreadable
  return new UserError(
    `The handlers of ${file} cannot be used: ${withoutStack(error)}`,
    error.cause
      ? 'Correct the file, or what it imports.'
      : 'Export a list of MSW handlers, as `handlers` or as the default export.',
  )
}

/** Node adds to the message of a module that is missing which modules need it. */
const withoutStack = ({ message }: Error) => message.replace(/\nRequire stack:.*/s, '')

/** A file system error, not a taken port, which has no path. */
const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && ('path' in error || error.code === 'EISDIR')

const oneLine = (error: Error): string => withoutStack(error).replaceAll('\n', '; ')
