import { isUnspecifiedAddress } from '../../contract/host.js'
import { defaultTeamLimits } from '../../contract/limits.js'
import { defaultDatabaseFile, hasPassword, parseDatabaseAddress } from '../../store/database-address.js'
import { parseDuration } from './duration.js'
import {
  hostName,
  httpBase,
  httpOrigin,
  integer,
  issuer,
  listOf,
  matching,
  network,
  nonBlank,
  oneOf,
  rate,
  secrets,
} from './setting-parsers.js'

/** Identity providers with known defaults. */
export const presets = ['kinde'] as const
export type Preset = (typeof presets)[number]

/** One row of the table: everything about a setting. */
export type Setting = {
  env: `DASHBOARD_API_${string}`
  flag?: `--${string}`
  /** As text. Without it the setting is optional or required. */
  default?: string
  /** The default with the preset of that name (`DASHBOARD_API_OIDC_PRESET`). */
  presets?: { [Name in Preset]?: string }
  required?: true
  description: string
  expected: string
  /** What to do about a refused value, where that is not plain. */
  remedy?: string
  /** Its value is never shown. */
  secret?: true
  /** Whether a valid text is refused on the command line, which other users of the machine can read. */
  refusedAsFlag?(text: string): boolean
  /** Returns the value of a text, undefined for a text that is not valid. */
  parse(text: string): unknown
  /** Whether the setting conflicts with others, parsed by name. It may itself be unset. */
  conflicts?(settings: { [name: string]: unknown }): boolean
}

const duration = { expected: 'a length of time such as 90s, 30m, 12h or 7d', parse: parseDuration } as const
const atLeastADay = (text: string): number | undefined => {
  const ms = parseDuration(text)
  return ms !== undefined && ms >= 86_400_000 ? ms : undefined
}
const trueOrFalse = {
  expected: 'true or false',
  parse: (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined),
} as const
const host = { expected: 'a host name or an address', parse: hostName } as const
const wholeNumber = (min: number, max: number) => ({
  expected: `a whole number from ${min} to ${max}`,
  parse: integer(min, max),
})
/** Whether two addresses to bind to cannot have the same port. */
const overlap = (a: string, b: string): boolean =>
  a === b || isUnspecifiedAddress(a) || isUnspecifiedAddress(b)
const limit = (example: string) => ({
  expected: `a number within a length of time, e.g. ${example}, or off`,
  parse: rate,
})
/** The variable with the path of a file that has a secret. */
export const fileVariable = (variable: string): string => `${variable}_FILE`
const secret = <Variable extends `DASHBOARD_API_${string}`>(env: Variable, description: string) => ({
  env,
  secret: true as const,
  description: `${description} ${fileVariable(env)} names a file with it instead.`,
})
const claim = (variable: string, name: string, meaning: string) => ({
  env: `DASHBOARD_API_OIDC_${variable}_CLAIM` as const,
  default: name,
  description: `The claim with ${meaning}.`,
  expected: 'the name of a claim, or a path into one, e.g. https://x.example/org.code',
  parse: nonBlank,
})

/** The settings of production. The reader, the help and the documentation are made from this table. */
export const settingsTable = {
  host: {
    env: 'DASHBOARD_API_HOST',
    flag: '--host',
    default: '127.0.0.1',
    description: 'The address to bind to.',
    ...host,
  },
  port: {
    env: 'DASHBOARD_API_PORT',
    flag: '--port',
    default: '8080',
    description: 'The port to listen on; 0 picks a free one.',
    ...wholeNumber(0, 65_535),
  },
  database: {
    env: 'DASHBOARD_API_DATABASE',
    flag: '--database',
    default: defaultDatabaseFile,
    description:
      'The SQLite file, created in an existing folder if it does not exist; or the address of a PostgreSQL database.',
    expected: 'the path of a SQLite file, or a PostgreSQL address such as postgres://user@host/database',
    remedy:
      'Instead of "host=db user=u dbname=d" write postgres://u@db/d; a file with such a name is ./NAME. A flag takes no password: set PGPASSWORD or PGPASSFILE.',
    parse: parseDatabaseAddress,
    refusedAsFlag: hasPassword,
  },
  mustExist: {
    env: 'DASHBOARD_API_MUST_EXIST',
    flag: '--must-exist',
    default: 'false',
    description: 'Whether a database that does not exist, or has no tables yet, is refused.',
    ...trueOrFalse,
  },
  noMigrate: {
    env: 'DASHBOARD_API_NO_MIGRATE',
    flag: '--no-migrate',
    default: 'false',
    description:
      'Whether a database of an older version is refused; "serve" migrates it otherwise, a SQLite file after a copy.',
    ...trueOrFalse,
  },
  databasePasswordFile: {
    env: 'DASHBOARD_API_DATABASE_PASSWORD_FILE',
    description:
      'A file with the password for PostgreSQL, read for each new connection. Without it PGPASSWORD or PGPASSFILE applies.',
    expected: 'the path of a file',
    parse: nonBlank,
  },
  databasePoolSize: {
    env: 'DASHBOARD_API_DATABASE_POOL_SIZE',
    default: '10',
    description: 'How many connections to PostgreSQL a process opens at most.',
    ...wholeNumber(2, 1000),
  },
  databaseTimeout: {
    env: 'DASHBOARD_API_DATABASE_TIMEOUT',
    default: '5s',
    description:
      'How long a statement of PostgreSQL may take, and how long a request waits for a connection, and for all that it reads, before it is answered with 503.',
    ...duration,
  },
  databaseApplicationName: {
    env: 'DASHBOARD_API_DATABASE_APPLICATION_NAME',
    default: 'dashboard-api',
    description: 'The name that PostgreSQL shows for the connections.',
    expected: 'a name of at most 63 visible ASCII characters',
    parse: matching(/^[ -~]{1,63}$/),
  },
  sessionSecret: {
    ...secret(
      'DASHBOARD_API_SESSION_SECRET',
      'Signs the session cookies. Several, separated by commas, rotate: the first signs, all verify.',
    ),
    required: true,
    expected: 'a secret of at least 32 bytes, or several separated by commas',
    remedy: `Make one: node -e "console.log(require('node:crypto').randomBytes(32).toString('base64url'))"`,
    parse: secrets,
  },
  publicUrl: {
    env: 'DASHBOARD_API_PUBLIC_URL',
    description:
      'Where browsers reach the service, if not at http://HOST:PORT. Cookies are Secure unless this is http on loopback.',
    expected: 'an http or https URL without path, e.g. https://api.example.com',
    parse: httpOrigin,
  },
  docsUrl: {
    env: 'DASHBOARD_API_DOCS_URL',
    description: 'The base URL of the pages about errors (/docs/errors/…), if not the public URL.',
    expected: 'an http or https URL without query, e.g. https://docs.example.com/api',
    parse: httpBase,
  },
  sessionTtl: {
    env: 'DASHBOARD_API_SESSION_TTL',
    default: '12h',
    description: 'How long a session lasts at most.',
    ...duration,
  },
  sessionIdle: {
    env: 'DASHBOARD_API_SESSION_IDLE',
    default: '30m',
    description: 'How long a session lasts without being used.',
    ...duration,
  },
  sessionIssueMax: {
    env: 'DASHBOARD_API_SESSION_ISSUE_MAX',
    default: '24h',
    description: 'The longest time that "session issue" accepts for a session.',
    ...duration,
  },
  sessionCookie: {
    env: 'DASHBOARD_API_SESSION_COOKIE',
    default: 'session',
    description:
      'The name of the session cookie. A browser accepts __Host-session only over https and from this host itself.',
    expected: 'session, or __Host-session where the public URL is https',
    parse: oneOf('session', '__Host-session'),
    conflicts: ({ sessionCookie, publicUrl }) =>
      sessionCookie === '__Host-session' &&
      publicUrl !== undefined &&
      !String(publicUrl).startsWith('https:'),
  },
  oidcIssuer: {
    env: 'DASHBOARD_API_OIDC_ISSUER',
    description:
      'The identity provider (OpenID Connect) where people sign in. Without it sessions are only issued on the command line.',
    expected: 'an https URL, or http on loopback, e.g. https://example.kinde.com',
    parse: issuer,
    conflicts: ({ oidcIssuer, oidcClientId }) => oidcClientId !== undefined && oidcIssuer === undefined,
  },
  oidcClientId: {
    env: 'DASHBOARD_API_OIDC_CLIENT_ID',
    description: 'The id of this service at the identity provider.',
    expected: 'a client id; issuer and client id are set together or not at all',
    parse: nonBlank,
    conflicts: ({ oidcIssuer, oidcClientId }) => oidcIssuer !== undefined && oidcClientId === undefined,
  },
  oidcClientSecret: {
    ...secret(
      'DASHBOARD_API_OIDC_CLIENT_SECRET',
      'The secret of this service at the identity provider; not set for a public client.',
    ),
    expected: 'a client secret; issuer and client id are set too',
    parse: nonBlank,
    conflicts: ({ oidcIssuer, oidcClientSecret }) =>
      oidcClientSecret !== undefined && oidcIssuer === undefined,
  },
  oidcPreset: {
    env: 'DASHBOARD_API_OIDC_PRESET',
    description: 'Defaults of the settings below for a provider: kinde.',
    expected: `one of ${presets.join(', ')}`,
    parse: oneOf(...presets),
  },
  oidcScopes: {
    env: 'DASHBOARD_API_OIDC_SCOPES',
    default: 'openid profile email',
    description: 'The scopes to request at sign-in.',
    expected: 'scopes separated by spaces, openid among them',
    parse: matching(/(^|\s)openid(\s|$)/),
  },
  oidcAudience: {
    env: 'DASHBOARD_API_OIDC_AUDIENCE',
    description: 'The required audience of the access token; requested at sign-in.',
    expected: 'an audience, e.g. https://api.example.com',
    parse: nonBlank,
  },
  oidcAccessClaims: {
    env: 'DASHBOARD_API_OIDC_ACCESS_CLAIMS',
    default: 'id-token',
    presets: { kinde: 'access-token' },
    description:
      'The token with the organisation and the permissions. With id-token, missing claims come from the UserInfo endpoint.',
    expected: 'id-token or access-token',
    parse: oneOf('id-token', 'access-token'),
  },
  oidcOrganizationClaim: claim('ORGANIZATION', 'org_code', 'the organisation code'),
  oidcPermissionsClaim: claim('PERMISSIONS', 'permissions', 'the permissions'),
  oidcEmailClaim: claim('EMAIL', 'email', 'the email address'),
  oidcGivenNameClaim: claim('GIVEN_NAME', 'given_name', 'the given name'),
  oidcFamilyNameClaim: claim('FAMILY_NAME', 'family_name', 'the family name'),
  oidcPictureClaim: claim('PICTURE', 'picture', 'the URL of a picture'),
  defaultPermissions: {
    env: 'DASHBOARD_API_DEFAULT_PERMISSIONS',
    default: '',
    description: 'The permissions of people for whom the identity provider sends none.',
    expected: 'permissions separated by commas, e.g. create:projects,update:projects',
    parse: listOf((item) => item),
  },
  provisionTeams: {
    env: 'DASHBOARD_API_PROVISION_TEAMS',
    flag: '--provision-teams',
    default: 'false',
    description: 'Whether a team is created when somebody of an organisation without one signs in.',
    ...trueOrFalse,
  },
  allowedOrigins: {
    env: 'DASHBOARD_API_ALLOWED_ORIGINS',
    default: '',
    description:
      'Other origins whose pages may call the service with cookies, and that sign-in may return to.',
    expected: 'origins separated by commas, e.g. https://app.example.com',
    parse: listOf(httpOrigin),
  },
  drainDelay: {
    env: 'DASHBOARD_API_DRAIN_DELAY',
    description:
      'How long the service accepts requests after a signal to stop, while /readyz replies 503: the time that a load balancer takes to notice.',
    expected: 'a length of time such as 10s; or 0, as without it',
    parse: (text: string) => (text === '0' ? 0 : parseDuration(text)),
  },
  metricsToken: {
    ...secret(
      'DASHBOARD_API_METRICS_TOKEN',
      'The bearer token that /metrics needs. Without token and port there is no /metrics.',
    ),
    expected: 'at least 16 visible ASCII characters',
    parse: matching(/^[!-~]{16,}$/),
  },
  metricsPort: {
    env: 'DASHBOARD_API_METRICS_PORT',
    description:
      'A separate port for /metrics, which is then not on the port of the service; 0 picks a free one.',
    ...wholeNumber(0, 65_535),
    expected: 'a whole number from 0 to 65535, and not the port of the service',
    conflicts: ({ port, metricsPort, host, metricsHost }) =>
      Number(metricsPort) > 0 && metricsPort === port && overlap(String(host), String(metricsHost)),
  },
  metricsHost: {
    env: 'DASHBOARD_API_METRICS_HOST',
    default: '127.0.0.1',
    description: 'The address to bind the port of the metrics to.',
    ...host,
  },
  trustProxy: {
    env: 'DASHBOARD_API_TRUST_PROXY',
    default: '',
    description:
      'The proxies whose X-Forwarded-For is trusted, for limits per client. None by default: any client can send it.',
    expected: 'addresses, networks, or loopback, separated by commas, e.g. 10.0.0.0/8',
    parse: listOf(network),
  },
  waitlistRate: {
    env: 'DASHBOARD_API_WAITLIST_RATE',
    default: '100/1m',
    description: 'How often one client may join the waitlist; over PostgreSQL, on all nodes together.',
    ...limit('100/1m'),
  },
  signInRate: {
    env: 'DASHBOARD_API_SIGN_IN_RATE',
    default: '60/1m',
    description:
      'How often one client may begin to sign in, and how often return from the provider; over PostgreSQL, on all nodes together.',
    ...limit('60/1m'),
  },
  backChannelLogoutRate: {
    env: 'DASHBOARD_API_BACK_CHANNEL_LOGOUT_RATE',
    default: '6000/1m',
    description:
      'How often one client, which the identity provider is, may tell that sessions ended; over PostgreSQL, on all nodes together.',
    ...limit('6000/1m'),
  },
  projectsRate: {
    env: 'DASHBOARD_API_PROJECTS_RATE',
    default: 'off',
    description:
      'How often one session may list, create and update projects, together; over PostgreSQL, on all nodes together.',
    ...limit('600/1m'),
  },
  maxConnections: {
    env: 'DASHBOARD_API_MAX_CONNECTIONS',
    default: '1000',
    description:
      'How many connections may be open at once. For one more, another is closed: first one whose body arrives slowly, then one that never sent a request, then one whose response is not read, then the one idle longest.',
    ...wholeNumber(1, 100_000),
  },
  maxConnectionsPerAddress: {
    env: 'DASHBOARD_API_MAX_CONNECTIONS_PER_ADDRESS',
    default: '100',
    description:
      'How many connections may be open from one IPv4 address or IPv6 /64, and eight times as many from a /48. Those of trusted proxies are not counted.',
    ...wholeNumber(1, 100_000),
  },
  minBodyRate: {
    env: 'DASHBOARD_API_MIN_BODY_RATE',
    default: '500',
    description:
      'How many bytes a second of a request body have to arrive at least, after five seconds; 0 is no limit.',
    ...wholeNumber(0, 1_000_000),
  },
  maxProjectsPerTeam: {
    env: 'DASHBOARD_API_MAX_PROJECTS_PER_TEAM',
    default: String(defaultTeamLimits.projects),
    description: 'How many projects a team may have.',
    ...wholeNumber(1, 100_000),
  },
  maxTeamBytes: {
    env: 'DASHBOARD_API_MAX_TEAM_BYTES',
    default: String(defaultTeamLimits.bytes),
    description:
      'How much text (names, descriptions, statuses) the projects of a team may have, in bytes of JSON.',
    ...wholeNumber(1, 128 * 1024 * 1024),
  },
  auditRetention: {
    env: 'DASHBOARD_API_AUDIT_RETENTION',
    default: '400d',
    description: 'How long entries of the audit log are stored, at least a day.',
    expected: 'a length of time from 1d, such as 400d',
    parse: atLeastADay,
  },
  logLevel: {
    env: 'DASHBOARD_API_LOG_LEVEL',
    default: 'info',
    description: 'The lowest level that is logged; requests are logged at info.',
    expected: 'one of fatal, error, warn, info, debug, trace, silent',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settingsTable

type Parsed<Row extends Setting> = Exclude<ReturnType<Row['parse']>, undefined>

/** The parsed settings. Lengths of time are in milliseconds. */
export type Settings = {
  [Name in SettingName]:
    | Parsed<(typeof settingsTable)[Name]>
    | ((typeof settingsTable)[Name] extends { default: string } | { required: true } ? never : undefined)
}

export const settingNames = Object.keys(settingsTable) as SettingName[]

/** The variables of all settings, with those that name the file of a secret. */
export const settingVariables: readonly string[] = Object.values<Setting>(settingsTable).flatMap(
  ({ env, secret }) => (secret ? [env, fileVariable(env)] : [env]),
)
