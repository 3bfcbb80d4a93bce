import { Option, type OptionValues } from 'commander'
import { settingsTable } from '../server/settings/settings-table.js'
import { mockUrl } from './options.js'

const { env } = settingsTable.database

/** `--database` of a command that is of a running mock without it. */
export const orDatabaseOption = () =>
  new Option(
    '--database <file>',
    `use this SQLite file, or this PostgreSQL address, instead of a mock (default: $${env}, if no address of a mock is given)`,
  ).conflicts(['url', 'space'])

/**
 * Whether a command is of a running mock: with `--url` or `--space`, or their variable, and if neither `--database` nor
 * its variable is given.
 */
export const usesMock = ({ database, url, space }: OptionValues): boolean =>
  database === undefined && Boolean(url || space || process.env[mockUrl.env] || !process.env[env])
