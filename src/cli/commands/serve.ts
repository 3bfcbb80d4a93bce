import type { Command } from 'commander'
import { type Setting, settingNames, settingsTable } from '../../server/settings/settings-table.js'
import { printJson, printMessage, writeData } from '../output/output.js'
import { examples, jsonOption, settingOption } from './options.js'

export const serve = (program: Command) =>
  program
    .command('serve')
    .description('Serve production: signed sessions, and a SQLite file that keeps everything.')
    .addOption(settingOption('port', '<number>'))
    .addOption(settingOption('host', '<address>'))
    .addOption(settingOption('database', '<file>'))
    .addOption(settingOption('provisionTeams'))
    .addOption(jsonOption('print JSON lines: "listening" first, then the log'))
    .addHelpText('after', settingsHelp)
    .addHelpText(
      'after',
      examples(
        `export ${secret}=$(node -p "require('node:crypto').randomBytes(32).toString('base64url')")`,
        'npx dashboard-api serve',
        'npx dashboard-api serve --port 0 --database data/trial.db --json',
      ),
    )
    .action(async ({ json, ...flags }) => {
      const [{ startProduction }, { shutdownSignal, exitAfter }] = await Promise.all([
        import('../actions/serve.js'),
        import('../actions/shutdown.js'),
      ])
      const signal = shutdownSignal()
      const server = await startProduction(flags, writeData)
      const { url, metricsUrl } = server
      if (json) printJson({ event: 'listening', url, mode: 'production', ...(metricsUrl && { metricsUrl }) })
      else printMessage(`The service listens at ${server.url}`)
      if (server.metricsUrl) printMessage(`The metrics are at ${server.metricsUrl}`)
      printMessage(server.signIn)
      server.releaseLog()
      printMessage(`${await signal}: finishing what is in flight.`)
      exitAfter(server.closesWithinMs)
      await server.close()
    })

const secret = settingsTable.sessionSecret.env

/** The settings section of the help, made from the one table. */
function settingsHelp(): string {
  const rows = settingNames.map((name) => {
    const { env, description, default: usual, presets = {} }: Setting = settingsTable[name]
    const defaults = [usual, ...Object.entries(presets).map(([preset, value]) => `${preset}: ${value}`)]
    const otherwise = usual ? ` (default: ${defaults.join('; ')})` : ''
    return `  ${env}\n      ${description}${otherwise}\n`
  })
  return `\nSettings, from the environment; a flag wins over its variable:\n${rows.join('')}`
}
