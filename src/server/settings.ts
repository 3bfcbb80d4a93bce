import * as z from 'zod'
import { parseDuration } from './duration.js'

/** One row of the table: where a setting comes from, and what it has to be. */
type Setting = {
  env: `DASHBOARD_API_${string}`
  flag?: `--${string}`
  /** As it would be written; none where it is required, or made from other settings. */
  default?: string
  description: string
  expected: string
  /** What to do about a fault, where that is not plain. */
  remedy?: string
  /** Its value is shown nowhere. */
  secret?: true
  schema: z.ZodType
}

/** A schema of the values that `parse` makes something of. */
const from = <Value>(parse: (text: string) => Value | undefined) =>
  z.string().transform((text, context) => {
    const value = parse(text)
    if (value !== undefined) return value
    context.addIssue('not what is expected')
    return z.NEVER
  })

/** The settings of production, in one table: what is parsed, refused and documented is made from it. */
export const settingsTable = {
  host: {
    env: 'DASHBOARD_API_HOST',
    flag: '--host',
    default: '127.0.0.1',
    description: 'The address to bind to.',
    expected: 'a host name or an address',
    schema: z.string().regex(/^\S+$/),
  },
  port: {
    env: 'DASHBOARD_API_PORT',
    flag: '--port',
    default: '8080',
    description: 'The port to listen on; 0 picks a free one.',
    expected: 'a whole number from 0 to 65535',
    schema: from((text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined)),
  },
  database: {
    env: 'DASHBOARD_API_DATABASE',
    flag: '--database',
    default: 'data/dashboard.db',
    description: 'The SQLite file; made where there is none.',
    expected: 'the path of a file',
    schema: z.string().regex(/\S/),
  },
  sessionSecret: {
    env: 'DASHBOARD_API_SESSION_SECRET',
    description:
      'Signs the session cookies. Several, separated by commas, rotate: the first signs, all verify.',
    expected: 'a secret of at least 32 bytes, or several separated by commas',
    remedy: `Make one: node -e "console.log(require('node:crypto').randomBytes(32).toString('base64url'))"`,
    secret: true,
    schema: from((text) => {
      const secrets = text.split(',').map((secret) => secret.trim())
      return secrets.every((secret) => Buffer.byteLength(secret) >= 32) ? secrets : undefined
    }),
  },
  publicUrl: {
    env: 'DASHBOARD_API_PUBLIC_URL',
    description:
      'Where browsers reach the service, if not at http://HOST:PORT. Cookies are Secure unless it is http on loopback.',
    expected: 'an http or https URL without path, e.g. https://api.example.com',
    schema: from((text) => {
      const url = httpUrl(text)
      return url && url.href === `${url.origin}/` ? url.origin : undefined
    }).optional(),
  },
  docsUrl: {
    env: 'DASHBOARD_API_DOCS_URL',
    description: 'What the pages about errors lie below, if not below the public URL.',
    expected: 'an http or https URL without query, e.g. https://docs.example.com/api',
    schema: from((text) => {
      const url = httpUrl(text)
      return url && !url.search && !url.hash ? url.href.replace(/\/+$/, '') : undefined
    }).optional(),
  },
  sessionTtl: {
    env: 'DASHBOARD_API_SESSION_TTL',
    default: '12h',
    description: 'How long a session lasts at most.',
    expected: 'a length of time such as 90s, 30m, 12h or 7d',
    schema: from(parseDuration),
  },
  sessionIdle: {
    env: 'DASHBOARD_API_SESSION_IDLE',
    default: '30m',
    description: 'How long a session lasts without being used.',
    expected: 'a length of time such as 90s, 30m, 12h or 7d',
    schema: from(parseDuration),
  },
  logLevel: {
    env: 'DASHBOARD_API_LOG_LEVEL',
    default: 'info',
    description: 'How much is logged; the access log is at info.',
    expected: 'one of fatal, error, warn, info, debug, trace, silent',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settingsTable
/** Lengths of time are in milliseconds. */
export type Settings = { [Name in SettingName]: z.output<(typeof settingsTable)[Name]['schema']> }

export const settingNames = Object.keys(settingsTable) as SettingName[]

/** What is wrong with one setting; `got` is undefined where nothing was set. */
export type SettingFault = { setting: string; expected: string; got?: string; remedy?: string }

/** Settings that were refused, with every fault found; no secret's value is in it. */
export class SettingsError extends Error {
  override name = 'SettingsError'
  readonly faults: SettingFault[]

  constructor(faults: SettingFault[]) {
    super(faults.map(describe).join('\n'))
    this.faults = faults
  }
}

/**
 * Reads settings: a flag wins over the environment, and that over the default. An empty variable is not set.
 * @param flags values of flags as they were written, by the setting's name
 * @param names which settings are needed; the others are not looked at. All, if left out
 * @throws SettingsError with all faults at once
 */
export function readSettings<Name extends SettingName = SettingName>(
  env: Record<string, string | undefined>,
  flags: { [Name in SettingName]?: string | undefined } = {},
  names: readonly Name[] = settingNames as Name[],
): Pick<Settings, Name> {
  const row = (name: SettingName): Setting => settingsTable[name]
  const text = (name: SettingName) => flags[name] ?? (env[row(name).env] || row(name).default)

  const schema = z.object(Object.fromEntries(names.map((name) => [name, row(name).schema])))
  const parsed = schema.safeParse(Object.fromEntries(names.map((name) => [name, text(name)])))
  if (parsed.success) return parsed.data as Pick<Settings, Name>

  const faulty = names.filter((name) => parsed.error.issues.some(({ path }) => path[0] === name))
  throw new SettingsError(
    faulty.map((name) => {
      const { env: variable, flag, expected, remedy, secret } = row(name)
      const got = secret && text(name) ? 'a value that is not shown here' : text(name)
      return { setting: (flags[name] !== undefined && flag) || variable, expected, got, remedy }
    }),
  )
}

function describe({ setting, expected, got, remedy }: SettingFault): string {
  const came = got === undefined ? 'it is not set' : `got ${JSON.stringify(got)}`
  return `${setting}: expected ${expected}; ${came}.${remedy ? ` ${remedy}` : ''}`
}

function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}
