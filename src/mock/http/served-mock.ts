import { realpath, stat } from 'node:fs/promises'
import { type ErrorCode, errorDocsPath } from '../../contract/errors.js'
import { requestedOrigin } from '../../contract/host.js'
import { replaceFile } from '../../store/replace-file.js'
import type { State } from '../../store/state-file.js'
import type { ServedFile } from '../engine/mock-parts.js'
import type { OnReload, OpenedHandlers } from '../handlers/read-handlers.js'
import type { MockOptions } from '../log/log-parts.js'
import { createMockApi } from '../mock-api.js'
import { ControlError } from '../state/control-error.js'
import { createMemorySnapshots } from '../state/snapshots.js'
import type { MockShellOptions } from './mock-shell.js'
import { persistTo, readPersisted } from './persisted-state.js'
import { createFolderSnapshots } from './snapshot-folder.js'
import { createSpaces, type Spaces } from './spaces.js'
import { stateText } from './state-text.js'
import { watchFixtures } from './watch-fixtures.js'

export type ServedMockOptions = Omit<
  MockOptions,
  'baseUrl' | 'fixtures' | 'handlers' | 'space' | 'snapshots' | 'onStateChange'
> & {
  fixtures: State
  /** The folder of the project. Default: the working directory. */
  project?: string
  /** The file of the fixtures. Saving it reloads them in every space. */
  watch?: string
  /** Called after each reload; with the error if the file cannot be used and the state stays. */
  onFixtures?(error?: Error): void
  /** A JavaScript or TypeScript file of MSW handlers. They come first; the mock answers other requests. */
  handlers?: string
  /** Loads that file. */
  openHandlers?: typeof openHandlersFile
  /** Called after each reload of the handlers; with the error if the last ones stay. */
  onHandlers?: OnReload
  /** A state file to save the state in. An existing file has the initial state. */
  persist?: string
  /** The folder for snapshots. By default they last as long as the mock. */
  snapshots?: string
  /** How many spaces there are at most. A further one takes the place of the one that was not used for the longest time. */
  maxSpaces?: number
  /** Is told when a space has taken the place of another one for the first time. */
  onFullSpaces?(advice: string): void
} & Pick<MockShellOptions, 'allowControl' | 'hosts' | 'onCrossOrigin' | 'onTwoSites'>

/**
 * Reads the files of a mock before its address is known, and watches the files that users edit.
 * @throws ControlError if `persist` is the file of the fixtures, or `snapshots` is no folder
 * @throws StateError if the file of `persist` is invalid; it stays unchanged
 * @throws the error of the file system, or of loading the handlers
 */
export async function prepareMock(options: ServedMockOptions) {
  const { watch, persist, snapshots, onError = console.error } = options
  const faults: { fixtures?: Error; handlers?: Error } = {}
  const onFixtures = (error?: Error) => {
    faults.fixtures = error
    options.onFixtures?.(error)
  }
  let { fixtures } = options
  let spaces: Spaces | undefined

  const reloadHandlers = (error?: Error) => {
    for (const mock of error ? [] : (spaces?.all() ?? [])) mock.setHandlers(own?.handlers() ?? [])
    faults.handlers = error
    options.onHandlers?.(error)
  }
  if (persist !== undefined && watch !== undefined && (await isSameFile(persist, watch))) {
    throw new ControlError(`${persist} has the fixtures: each change would reset the mock to itself.`)
  }
  const folder = snapshots === undefined ? undefined : await stat(snapshots).catch(() => undefined)
  if (folder && !folder.isDirectory()) throw new ControlError(`${snapshots} is not a folder for snapshots.`)
  const persisted = persist === undefined ? undefined : await readPersisted(persist)
  if (persist !== undefined && !persisted) await replaceFile(persist, [stateText(fixtures)])
  const { handlers, openHandlers = openHandlersFile } = options
  const own = handlers === undefined ? undefined : await openHandlers(handlers, reloadHandlers)

  const reload = async (state: State) => {
    for (const mock of spaces?.all() ?? []) await mock.setFixtures(state)
    fixtures = state
    onFixtures()
  }
  const unwatch = watch === undefined ? () => {} : await watchFixtures(watch, reload, onFixtures)

  return {
    /**
     * Creates the mock at an address.
     * @throws ControlError for an unknown session, or an invalid delay or clock
     */
    createAt(url: string) {
      const scheme = new URL(url).protocol.replace(':', '')
      /** The URL of the page about an error code, for the client of a request. */
      const docsUrl = (code: ErrorCode, host: string | undefined) =>
        `${requestedOrigin(scheme, host) ?? url}${errorDocsPath(code)}`
      const common = {
        ...options,
        handlers: undefined,
        baseUrl: url,
        about: () => ({
          project: options.project ?? process.cwd(),
          fixtures: servedFile(watch, faults.fixtures),
          handlers: servedFile(handlers, faults.handlers),
        }),
        docsUrl: options.docsUrl ?? docsUrl,
        snapshots: snapshots ? createFolderSnapshots(snapshots) : createMemorySnapshots(),
      }
      const warn = () =>
        onError(`${persist} was written, replaced or touched by others: this mock overwrites it.`)
      const save = persist === undefined ? undefined : persistTo(persist, () => created.common.export(), warn)
      const createMock = (space?: string) =>
        createMockApi({
          ...common,
          fixtures,
          space,
          handlers: own?.handlers(),
          ...(space === undefined && { onStateChange: save }),
        })
      let { onFullSpaces } = options
      const onReplaced = (name: string, max: number) => {
        onFullSpaces?.(replacedText(name, max))
        onFullSpaces = undefined
      }
      const created: Spaces = createSpaces(createMock, { max: options.maxSpaces, onReplaced })
      spaces = created
      const ofState = persisted && created.common.load(persisted).warning
      const hasSockets = created.common.others().length > 0
      const warnings = [ofState, hasSockets && socketWarning(options.handlers)].filter(Boolean) as string[]
      return { spaces: created, url, warnings }
    },
    /** Stops watching files, and ends the waits for requests. */
    close() {
      for (const mock of spaces?.all() ?? []) mock.release()
      unwatch()
      own?.close()
    },
  }
}

const servedFile = (file: string | undefined, error: Error | undefined): ServedFile | undefined =>
  file === undefined ? undefined : { file, ...(error && { error: withoutStack(error) }) }

/** The message of an error, without the modules that need a missing one, which Node adds. */
export const withoutStack = ({ message }: Error) => message.replace(/\nRequire stack:.*/s, '')

const replacedText = (name: string, max: number) =>
  `There were ${max} spaces, so the one that was not used for the longest time, "${name}", was removed`

const socketWarning = (file = '') =>
  `${file} has WebSocket handlers, which work in pages and in tests: this server answers no WebSocket.`

const isSameFile = async (...files: string[]): Promise<boolean> => {
  const [one, other] = await Promise.all(files.map((file) => realpath(file).catch(() => file)))
  return one === other
}

async function openHandlersFile(file: string, onReload: OnReload): Promise<OpenedHandlers> {
  // Loaded on demand: it loads a compiler.
  const { openHandlersFile } = await import('../handlers/handlers-file.js')
  return openHandlersFile(file, onReload)
}
