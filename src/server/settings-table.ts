// The settings of production as data, without zod: the command line's help is made from it at every start.

/** One row of the table: where a setting comes from, and what it has to be. */
export type Setting = {
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
}

/** The settings of production, in one table: what is read, refused and documented is made from it. */
export const settingsTable = {
  host: {
    env: 'DASHBOARD_API_HOST',
    flag: '--host',
    default: '127.0.0.1',
    description: 'The address to bind to.',
    expected: 'a host name or an address',
  },
  port: {
    env: 'DASHBOARD_API_PORT',
    flag: '--port',
    default: '8080',
    description: 'The port to listen on; 0 picks a free one.',
    expected: 'a whole number from 0 to 65535',
  },
  database: {
    env: 'DASHBOARD_API_DATABASE',
    flag: '--database',
    default: 'data/dashboard.db',
    description: 'The SQLite file; made where there is none.',
    expected: 'the path of a file',
  },
  sessionSecret: {
    env: 'DASHBOARD_API_SESSION_SECRET',
    description:
      'Signs the session cookies. Several, separated by commas, rotate: the first signs, all verify.',
    expected: 'a secret of at least 32 bytes, or several separated by commas',
    remedy: `Make one: node -e "console.log(require('node:crypto').randomBytes(32).toString('base64url'))"`,
    secret: true,
  },
  publicUrl: {
    env: 'DASHBOARD_API_PUBLIC_URL',
    description:
      'Where browsers reach the service, if not at http://HOST:PORT. Cookies are Secure unless it is http on loopback.',
    expected: 'an http or https URL without path, e.g. https://api.example.com',
  },
  docsUrl: {
    env: 'DASHBOARD_API_DOCS_URL',
    description:
      'Where the pages about errors are, if not at the public URL: at /docs/errors/… below this one.',
    expected: 'an http or https URL without query, e.g. https://docs.example.com/api',
  },
  sessionTtl: {
    env: 'DASHBOARD_API_SESSION_TTL',
    default: '12h',
    description: 'How long a session lasts at most.',
    expected: 'a length of time such as 90s, 30m, 12h or 7d',
  },
  sessionIdle: {
    env: 'DASHBOARD_API_SESSION_IDLE',
    default: '30m',
    description: 'How long a session lasts without being used.',
    expected: 'a length of time such as 90s, 30m, 12h or 7d',
  },
  logLevel: {
    env: 'DASHBOARD_API_LOG_LEVEL',
    default: 'info',
    description: 'How much is logged; the access log is at info.',
    expected: 'one of fatal, error, warn, info, debug, trace, silent',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settingsTable

export const settingNames = Object.keys(settingsTable) as SettingName[]
