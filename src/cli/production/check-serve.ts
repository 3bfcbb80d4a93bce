import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { settingWarnings, unknownVariables } from '../../server/settings/setting-warnings.js'
import type { Settings } from '../../server/settings/settings.js'
import { checkProvider } from '../../server/sign-in/check-provider.js'
import { hasProvider } from '../../server/sign-in/provider-settings.js'
import { defaultDatabaseFile } from '../../store/database-address.js'
import { listenFailure } from '../listen-failure.js'
import { printMessage } from '../output/output.js'
import { show } from '../output/show.js'
import { Failure, UserError } from '../user-error.js'
import { checkColumns } from './check-columns.js'
import { databaseFailure } from './open-database.js'

/**
 * Checks that `serve` would start, and changes nothing: it opens the database, and listens on the addresses for a
 * moment. Prints what it found, and what is probably a mistake.
 * @throws UserError, Failure: what `serve` would fail with
 */
export async function checkServe(settings: Settings): Promise<void> {
  for (const warning of [...unknownVariables(process.env), ...settingWarnings(settings)]) {
    printMessage(`warning: ${warning}`)
  }
  printMessage(await describeDatabase(settings))
  const { host, port, metricsHost, metricsPort } = settings
  await checkListening(host, port)
  if (metricsPort !== undefined) await checkListening(metricsHost, metricsPort)
}

async function describeDatabase({ database, mustExist, noMigrate, ...settings }: Settings): Promise<string> {
  const migrate = !noMigrate
  try {
    const { version, known, warning } = await (database.kind === 'sqlite'
      ? (await import('../../store/sqlite/maintain.js')).inspectDatabase(resolve(database.file), {
          mustExist,
          migrate,
          checkFully: true,
          makeFolder: database.file === defaultDatabaseFile,
        })
      : (await import('../../store/postgres/maintain.js')).inspectDatabase(database, {
          mustExist,
          migrate,
          passwordFile: settings.databasePasswordFile,
          timeoutMs: settings.databaseTimeout,
        }))
    if (warning !== undefined) printMessage(`warning: The database ${database.name}: ${warning}`)
    if (version === undefined) {
      const lack =
        database.kind === 'sqlite'
          ? 'does not exist yet: "serve" creates it'
          : 'has no tables yet: "serve" makes them'
      return `The database ${database.name} ${lack}.`
    }
    const migration = version < known ? `, which "serve" migrates to ${known}` : ''
    return `The database ${database.name} has schema version ${version}${migration}.`
  } catch (error) {
    throw databaseFailure(error)
  }
}

/** Listens for a moment. A port that is taken is only a warning: the service may be running. @throws Failure */
async function checkListening(host: string, port: number): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail).listen(port, host, done)
    })
    await new Promise((done) => server.close(done))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw listenFailure(error, host, port)
    printMessage(`warning: Port ${port} of ${host} is taken, maybe by the running service.`)
  }
}

/** Prints whether people can sign in at the identity provider of the settings. @throws UserError, Failure */
export async function checkIdentityProvider(settings: Settings, json?: boolean): Promise<void> {
  if (!hasProvider(settings)) {
    throw new UserError(
      'No identity provider is configured.',
      'Set DASHBOARD_API_OIDC_ISSUER and _CLIENT_ID.',
    )
  }
  const origin = settings.publicUrl ?? `http://${settings.host}:${settings.port}`
  const checks = await checkProvider(settings, `${origin}/auth/callback`)
  await show({ table: { name: 'checks', columns: checkColumns, rows: checks } }, json)
  if (checks.every(({ ok }) => ok)) return
  throw new Failure(`Nobody can sign in at ${settings.oidcIssuer} with these settings.`)
}
