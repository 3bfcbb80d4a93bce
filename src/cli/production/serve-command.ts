import type { Command } from 'commander'
import { type Setting, settingNames, settingsTable } from '../../server/settings/settings-table.js'
import { addCommand } from '../define-command.js'
import { jsonOption, serveOptions } from '../options.js'
import { printJson, printMessage } from '../output/output.js'
import { packageCommit, packageVersion } from '../package.js'
import { shutdownSignal } from '../signals.js'
import { requireSettings } from './require-settings.js'
import { createServiceLog } from './service-log.js'

const secret = settingsTable.sessionSecret.env

/** EX_TEMPFAIL of sysexits.h: a supervisor starts the service again, which checks the file that is there then. */
const lostDatabaseExitCode = 75

export const define = (serve: Command) =>
  addCommand(serve, '', {
    about: 'Serve production: signed sessions, and all data in a SQLite file or in PostgreSQL.',
    options: [...serveOptions(), jsonOption('print JSON lines: "listening" first, then the log')],
    notes: settingsHelp(),
    examples: [
      `export ${secret}=$(node -p "require('node:crypto').randomBytes(32).toString('base64url')")`,
      '',
      '--port 0 --database data/trial.db --json',
    ],
    async run({ json, quiet: _, ...flags }) {
      const [{ startServer }, { settingWarnings }] = await Promise.all([
        import('../../server/start-server.js'),
        import('../../server/settings/setting-warnings.js'),
      ])
      const signal = shutdownSignal()
      let isStarted = false
      // A start may take long, such as behind the lock of another node: the first signal ends it as a second one would.
      void signal.then(() => isStarted || process.kill(process.pid, 'SIGTERM'))
      const settings = await requireSettings(flags)
      for (const warning of settingWarnings(settings, process.env)) printMessage(`warning: ${warning}`)
      const log = createServiceLog()
      const build = { version: packageVersion(), commit: packageCommit() }
      const onSlowDatabase = () => printMessage('The start takes long: the database is not open yet.')
      const server = await startServer(settings, { build, logStream: log, onSlowDatabase })
      isStarted = true
      const { url, metricsUrl } = server
      if (json) printJson({ event: 'listening', url, mode: 'production', ...(metricsUrl && { metricsUrl }) })
      else printMessage(`The service listens at ${url}`)
      if (metricsUrl) printMessage(`The metrics are at ${metricsUrl}`)
      const origin = settings.publicUrl ?? url
      printMessage(
        settings.oidcIssuer
          ? `Users sign in at ${settings.oidcIssuer}; its callback URL is ${origin}/auth/callback, and its back-channel logout URL ${origin}/auth/back-channel-logout`
          : 'No identity provider is configured: sessions can only be issued on the command line.',
      )
      log.open()
      const lost = server.lost.then(({ message }) => {
        process.exitCode = lostDatabaseExitCode
        return message
      })
      printMessage(`${await Promise.race([signal, lost])}: finishing the open requests.`)
      setTimeout(() => process.exit(process.exitCode || 1), 10_000 + (settings.drainDelay ?? 0)).unref()
      await server.close()
      return undefined
    },
  })

function settingsHelp(): string {
  const rows = settingNames.map((name) => {
    const { env, description, default: fallback }: Setting = settingsTable[name]
    return `  ${env}\n      ${description}${fallback ? ` (default: ${fallback})` : ''}\n`
  })
  return `\nSettings, from the environment; a flag overrides its variable:\n${rows.join('')}`
}
