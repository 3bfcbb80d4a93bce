import type { OptionValues } from 'commander'
import { errorDocsPath } from '../contract/errors.js'
import { HandlersError } from '../mock/handlers/handlers-error.js'
import { missingPackage } from '../mock/handlers/missing-package.js'
import { startDevServer } from '../mock/http/dev-server.js'
import { productionEnvironment } from '../mock/http/production-environment.js'
import { withoutStack } from '../mock/http/served-mock.js'
import { settingsTable } from '../server/settings/settings-table.js'
import { StateError } from '../store/state-file.js'
import { devPrinter } from './dev-printer.js'
import { readInput } from './files.js'
import { keepStdoutForData, printError } from './output/output.js'
import { printable } from './output/printable.js'
import { demoFixture } from './package.js'
import { readCertificate } from './read-certificate.js'
import { readStateFile, stateFailure } from './read-state-file.js'
import { parentEnded, shutdownSignal } from './signals.js'
import { tellParent } from './start-event.js'
import { Failure, UserError } from './user-error.js'

/**
 * Serves the mock until a signal, until its user quits, or until the parent ends that has an IPC channel to it. It has no authentication, so it refuses to start if NODE_ENV is
 * production.
 * @param given the options of `dev`
 * @throws UserError for production, an invalid file, an unknown persona, an invalid delay or clock; Failure for a port
 */
export async function runMock(given: OptionValues): Promise<undefined> {
  try {
    return await serveMock(given)
  } catch (error) {
    tellParent({ error: error instanceof Error ? error.message : String(error) })
    throw error
  }
}

async function serveMock({
  json,
  ui,
  chaos,
  clock,
  ticking,
  allowedHost,
  publicUrl,
  ...given
}: OptionValues) {
  const environment = productionEnvironment()
  if (environment !== undefined) {
    throw new UserError(
      `The mock does not start with NODE_ENV=${printable(environment)}: any client can sign in as any persona.`,
      'Run "npx dashboard-api serve" for production, or unset NODE_ENV.',
    )
  }
  if (ticking && clock === undefined) throw new UserError('--ticking needs --clock.')
  const signal = Promise.race([shutdownSignal(), parentEnded()])
  if (json) keepStdoutForData()
  const printer = devPrinter({ json, ui })
  const { fixtures: file = demoFixture(), handlers, host, port } = given
  const fixtures = await readStateFile(file)
  const onError = (error: unknown) =>
    printError(error instanceof Error ? (error.stack ?? error.message) : String(error))
  if (handlers !== undefined) {
    const hint = 'Give the path of a JavaScript or TypeScript file of MSW handlers.'
    await readInput(handlers, { name: `The handlers file ${handlers}`, hint })
    // An error that a user's handler throws after its response, or in a promise that is not awaited, does not end the mock.
    process.on('uncaughtException', onError)
  }
  const { tls, notice } = await readCertificate(given, host)
  const { url, mock, warnings, close } = await startDevServer({
    ...(given as { snapshots: string }),
    ...(chaos !== undefined && { chaos: { errorRate: chaos } }),
    ...(clock !== undefined && { clock: { at: clock, ticking } }),
    ...(publicUrl !== undefined && {
      docsUrl: (code) => `${publicUrl.replace(/\/$/, '')}${errorDocsPath(code)}`,
    }),
    allowedOrigins: given.allowedOrigin,
    hosts: [host, ...(allowedHost ?? [])],
    allowControl: given.allowControl,
    tls,
    fixtures,
    watch: file,
    onError,
    onRequest: (entry) => printer.onRequest(entry),
    onCrossOrigin: (origin) => printer.notify(crossOriginText(origin)),
    onTwoSites: (advice) => printer.notify(`No session: ${advice}.`),
    onFullSpaces: (advice) =>
      printer.notify(`${advice}. Remove those that are done, or start with --max-spaces.`),
    onFixtures: (error) => printer.onReload('fixtures', error && refusalText(file, 'state stays', error)),
    onHandlers: (error) =>
      printer.onReload('handlers', error && refusalText(handlers, 'handlers stay', error)),
  }).catch(async (error) => {
    throw await startFailure(error, { ...given, fixtures: file })
  })
  const notices = [...warnings, ...(notice ? [notice] : [])]
  if (port !== 0 && Number(new URL(url).port || (tls ? 443 : 80)) !== port) {
    notices.push(`Port ${port} is taken, so the next free one is used.`)
  }
  tellParent({ url })
  try {
    await printer.untilQuit({ url, notices, controls: mock.controls }, signal)
  } finally {
    await close()
  }
  return undefined
}

const crossOriginText = (origin: string) =>
  `Pages of ${origin} use this mock. Production needs ${settingsTable.allowedOrigins.env}=${origin} for that.`

const refusalText = (file: string, stays: string, error: Error) =>
  `${file} cannot be used, the last good ${stays}: ${withoutStack(error).replaceAll('\n', '; ')}`

async function startFailure(error: unknown, { persist, handlers, fixtures }: OptionValues) {
  if (error instanceof HandlersError) {
    return new UserError(
      `The handlers of ${handlers} cannot be used: ${withoutStack(error)}`,
      handlersHint(error.cause),
    )
  }
  if (error instanceof StateError)
    return stateFailure(error.faults[0]?.path.startsWith('mock') ? fixtures : (persist ?? fixtures), error)
  if (persist !== undefined && isFileError(error)) {
    const message = `The state cannot be saved in ${persist}: ${error.message}`
    return new Failure(message, 'Choose another --persist.')
  }
  return error
}

function handlersHint(cause: unknown): string {
  if (cause === undefined) return 'Export a list of MSW handlers, as `handlers` or as the default export.'
  const missing = missingPackage(cause)
  return missing
    ? `Install the package with "npm install -D ${missing}", or correct the import.`
    : 'Correct the file, or what it imports.'
}

/** A file system error, not a taken port, which has no path. */
const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && ('path' in error || error.code === 'EISDIR')
