import { isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { isUnspecifiedAddress } from '../../contract/host.js'
import { isAddressFree } from '../../server/is-address-free.js'
import { setupOptions } from '../../server/settings/database-setup.js'
import { settingWarnings } from '../../server/settings/setting-warnings.js'
import type { Settings } from '../../server/settings/settings.js'
import { settingsTable } from '../../server/settings/settings-table.js'
import { checkProvider } from '../../server/sign-in/check-provider.js'
import { hasProvider } from '../../server/sign-in/provider-settings.js'
import { knownVersions } from '../../store/database-version.js'
import type { Inspection } from '../../store/production-store.js'
import type { CommandResult } from '../output/show.js'
import { Failure, UserError } from '../user-error.js'
import { checkColumns } from './check-columns.js'

/**
 * Checks that `serve` would start, and changes nothing: it opens the database, and listens on the addresses for a
 * moment. Yields its findings, and probable mistakes.
 * @throws the error with which `serve` would fail
 */
export async function* checkServe(settings: Settings): AsyncGenerator<string> {
  const { host, port, metricsAddress } = settings
  for (const line of recommendations(settings)) yield `recommendation: ${line}`
  for (const line of settingWarnings(settings, process.env)) yield `warning: ${line}`
  yield* describeDatabase(settings)
  yield* checkListening(host, port)
  if (metricsAddress) yield* checkListening(metricsAddress.host, metricsAddress.port)
}

/** Advice about settings that are valid and could be safer. */
function* recommendations(settings: Settings): Generator<string> {
  const { host, publicUrl, sessionCookie, trustProxy } = settings
  const isHttps = publicUrl?.startsWith('https:')
  if (isHttps && trustProxy.length === 0) {
    yield `Set ${settingsTable.trustProxy.env} to the address of the proxy that ends TLS: without it, limits count all its clients as one.`
  }
  if (isHttps && sessionCookie === 'session') {
    yield `Set ${settingsTable.sessionCookie.env}=__Host-session: a sibling domain can set a cookie named "session" for this one.`
  }
  if (publicUrl === undefined && isUnspecifiedAddress(host)) {
    yield `Set ${settingsTable.publicUrl.env}: the server does not know by which address clients reach ${host}, so the URLs in its responses have the Host header of each request.`
  }
}

async function* describeDatabase({ database, databaseSetup, ...settings }: Settings) {
  const { databasePasswordFile: passwordFile, databaseTimeout: timeoutMs } = settings
  const options = { ...setupOptions(databaseSetup), checkFully: true, passwordFile, timeoutMs }
  const { version, warnings = [] }: Inspection = await (database.kind === 'sqlite'
    ? (await import('../../store/sqlite/maintain.js')).inspectDatabase(resolve(database.file), options)
    : (await import('../../store/postgres/maintain.js')).inspectDatabase(database, options))
  const { name, kind } = database
  for (const warning of warnings) yield `warning: The database ${name}: ${warning}`
  if (version !== undefined) {
    const known = knownVersions[kind]
    const migration = version < known ? `, which "serve" migrates to ${known}` : ''
    yield `The database ${name} has schema version ${version}${migration}.`
  } else if (kind === 'sqlite') yield `The database ${name} does not exist yet: "serve" creates it.`
  else yield `The database ${name} has no tables yet: "serve" makes them.`
}

/** A port that is taken is only a warning: the service may be running. */
async function* checkListening(host: string, port: number) {
  if (!(await isAddressFree(host, port))) {
    yield `warning: Port ${port} of ${host} is taken: "serve" cannot listen there.`
  }
}

/** Whether people can sign in at the identity provider of the settings. @throws UserError */
export async function checkIdentityProvider(settings: Settings): Promise<CommandResult> {
  if (!hasProvider(settings)) {
    throw new UserError(
      'No identity provider is configured.',
      'Set DASHBOARD_API_OIDC_ISSUER and _CLIENT_ID.',
    )
  }
  const { host, port, publicUrl } = settings
  const origin = publicUrl ?? `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
  const rows = await checkProvider(settings, `${origin}/auth/callback`)
  const failure = new Failure(`Sign-in at ${settings.oidcIssuer} would fail with these settings.`)
  return {
    table: { name: 'checks', columns: checkColumns, rows },
    failure: rows.every(({ ok }) => ok) ? undefined : failure,
  }
}
