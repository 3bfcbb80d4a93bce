import { InvalidArgumentError, Option } from 'commander'
import { durationWords, parseDuration } from '../server/settings/duration.js'
import { httpUrl } from '../server/settings/http-url.js'
import {
  type Setting,
  type SettingName,
  settingNames,
  settingsTable,
} from '../server/settings/settings-table.js'
import { UserError } from './user-error.js'

// Options that several commands share. No package but commander is loaded here.

/** `--json` of every command that prints data. */
export const jsonOption = (description = 'print JSON') => new Option('--json', description)

/** The flag of a setting. Its default is not filled in here: the action reads the environment first. */
export function settingOption(name: SettingName): Option {
  const { flags = '', env, default: fallback, description }: Setting = settingsTable[name]
  const text = `${asPhrase(description)} (default: $${env}, else ${fallback})`
  return new Option(flags, text).preset('true')
}

const asPhrase = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')

/** `--database` of a command that needs an existing database. */
export const databaseOption = () => {
  const { flags, env, default: fallback } = settingsTable.database
  return new Option(flags, `the SQLite file, or a PostgreSQL address (default: $${env}, else ${fallback})`)
}

/** The flags of the settings of `serve`. */
export const serveOptions = (): Option[] =>
  settingNames.filter((name) => 'flags' in settingsTable[name]).map(settingOption)

/** The address of a running mock, if `--url` does not give it. */
export const mockUrl = { env: 'DASHBOARD_API_URL', default: 'http://localhost:4010' }

/** `--url` of a running mock. Its default is not filled in here: `urlOf` reads the environment first. */
export const urlOption = () =>
  new Option(
    '--url <url>',
    `the address of the mock (default: $${mockUrl.env}, else ${mockUrl.default})`,
  ).argParser(parseUrl)

/** The URL of a running mock: that of `--url`, of the environment, or the default. An empty variable counts as unset. */
export function urlOf({ url = process.env[mockUrl.env] || mockUrl.default }: { url?: string }): string {
  if (httpUrl(url)) return url
  throw new UserError(
    `${mockUrl.env}: expected an address such as ${mockUrl.default}; got "${url}".`,
    'Correct it, or pass the address of a running mock with --url.',
  )
}

/** `--space` of a running mock. */
export const spaceOption = () =>
  new Option('--space <name>', 'the space to use, as in the request header x-mock-space')

/** `--yes` of a command that asks for confirmation. */
export const yesOption = () => new Option('--yes', 'do not ask; required where there is no terminal')

/** The parser of an option. @param parse gives undefined for a text that is not `expected` */
export const parser =
  <Value>(parse: (text: string) => Value | undefined, expected: string) =>
  (text: string): Value => {
    const value = parse(text)
    if (value !== undefined) return value
    throw new InvalidArgumentError(`Expected ${expected}.`)
  }

const numberParser = (pattern: RegExp, expected: string, max = Number.POSITIVE_INFINITY) =>
  parser((text) => (pattern.test(text) && Number(text) <= max ? Number(text) : undefined), expected)

export const parsePort = numberParser(/^\d+$/, 'a whole number from 0 to 65535', 65_535)
export const parseCount = numberParser(/^[1-9]\d{0,8}$/, 'a whole number from 1')
/** How many records to generate, or a seed. */
export const parseAmount = numberParser(/^\d{1,9}$/, 'a whole number from 0 to 999999999')
/** A part of all requests. */
export const parseRate = numberParser(/^(\d+\.?\d*|\.\d+)$/, 'a number from 0 to 1, e.g. 0.1', 1)
export const parseTtl = parser(parseDuration, durationWords)

export const parseUrl = parser(
  (text) => (httpUrl(text) ? text : undefined),
  `an address such as ${mockUrl.default}`,
)

/** Permissions are compared as they are: one that is trimmed would be another one. */
export const parsePermissions = parser((list) => {
  const items = list.split(',').filter((item) => item !== '')
  return items.every((item) => item === item.trim()) ? items : undefined
}, 'permissions that are separated by commas, without blanks around them')
