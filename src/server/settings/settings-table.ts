import { defaultTeamLimits } from '../../contract/limits.js'
import { defaultDatabaseFile } from '../../store/database-address.js'

// Without zod: the command line loads this table at every start. setting-schemas.ts has the parsers.

/** The default names of the provider's claims, or paths to a field inside one (`findClaim`). */
export const defaultClaims = {
  organization: 'org_code',
  permissions: 'permissions',
  email: 'email',
  givenName: 'given_name',
  familyName: 'family_name',
  picture: 'picture',
}
export type ClaimNames = typeof defaultClaims

type Row = {
  /** The flag, with its value as in the help. A flag without a value is `true`. */
  flags?: string
  /** As text. Without a default the setting is optional or required. */
  default?: string
  required?: true
  description: string
  /** The advice for a refused value, if it is not obvious. */
  remedy?: string
  /** The value is never shown, and may be in a file that `<variable>_FILE` names. */
  secret?: true
}

/** A setting without its schema. `flag` is the name of its flag. */
export type Setting = Row & { env: `DASHBOARD_API_${string}`; flag?: string | undefined }

const withDefault = (value: string, description: string) => ({ default: value, description })

const rows = {
  host: { flags: '--host <address>', default: '127.0.0.1', description: 'The address to bind to.' },
  port: {
    flags: '--port <number>',
    default: '8080',
    description: 'The port to listen on; 0 picks a free one.',
    remedy: 'Kubernetes sets it to tcp://… for a Service of this name, unless enableServiceLinks is false.',
  },
  database: {
    flags: '--database <file>',
    default: defaultDatabaseFile,
    description:
      'The SQLite file, created in an existing folder if it does not exist; or the address of a PostgreSQL database.',
    remedy:
      'Instead of "host=db user=u dbname=d" write postgres://u@db/d; a file with such a name is ./NAME. A flag takes no password: set PGPASSWORD or PGPASSFILE.',
  },
  databaseSetup: {
    flags: '--database-setup <mode>',
    default: 'create',
    description:
      'Whether "serve" may create a missing database and migrate an older one (create), only migrate it (migrate), or neither (none). A SQLite file is copied before it is migrated.',
  },
  databasePasswordFile: {
    description:
      'A file with the password for PostgreSQL, read for each new connection. Without it PGPASSWORD or PGPASSFILE applies.',
  },
  databasePoolSize: withDefault('10', 'How many connections to PostgreSQL a process opens at most.'),
  databaseTimeout: withDefault(
    '5s',
    'How long a statement of PostgreSQL may take, and how long a request waits for a connection, before it is answered with 503.',
  ),
  sessionSecret: {
    secret: true,
    description:
      'Signs the session cookies. Several, separated by commas, rotate: the first signs, all verify.',
    required: true,
    remedy: `Make one: node -e "console.log(require('node:crypto').randomBytes(32).toString('base64url'))"`,
  },
  publicUrl: {
    description:
      'Where browsers reach the service, if not at http://HOST:PORT. Cookies are Secure unless this is http on loopback.',
    remedy: 'An identity provider cannot lead people back to 0.0.0.0.',
  },
  docsUrl: { description: 'The base URL of the pages about errors (/docs/errors/…), if not the public URL.' },
  sessionTtl: withDefault('12h', 'How long a session lasts at most.'),
  sessionIdle: withDefault('30m', 'How long a session lasts without being used.'),
  sessionCookie: withDefault(
    'session',
    'The name of the session cookie. A browser accepts __Host-session only over https and from this host itself.',
  ),
  oidcIssuer: {
    description:
      'The identity provider (OpenID Connect) where people sign in. Without it sessions are only issued on the command line.',
  },
  oidcClientId: { description: 'The id of this service at the identity provider.' },
  oidcClientSecret: {
    secret: true,
    description: 'The secret of this service at the identity provider; not set for a public client.',
  },
  oidcClientKey: {
    secret: true,
    description:
      'The private key of this service, with which it signs for the identity provider instead of sending a secret.',
  },
  oidcClientAuth: {
    description:
      'How this service authenticates at the identity provider. By default: with the key if there is one, else with the secret, as the metadata of the provider allow.',
  },
  oidcScopes: withDefault('openid profile email', 'The scopes to request at sign-in.'),
  oidcAudience: { description: 'The required audience of the access token; requested at sign-in.' },
  oidcAccessClaims: withDefault(
    'id-token',
    'The token with the organisation and the permissions: access-token for Kinde. With id-token, missing claims come from the UserInfo endpoint.',
  ),
  oidcClaims: withDefault(
    '',
    `The claims of the provider whose names differ from the defaults: ${Object.entries(defaultClaims)
      .map((pair) => pair.join('='))
      .join(',')}. A name may be a path into a claim.`,
  ),
  defaultPermissions: withDefault('', 'The permissions of users for whom the identity provider sends none.'),
  provisionTeams: {
    flags: '--provision-teams',
    default: 'false',
    description: 'Whether a sign-in creates the team of an organisation that has none.',
  },
  allowedOrigins: withDefault(
    '',
    'Other origins whose pages may call the service with cookies, and that sign-in may return to.',
  ),
  drainDelay: {
    description:
      'How long the service accepts requests after a signal to stop, while /readyz replies 503: the time that a load balancer takes to notice.',
  },
  metricsToken: {
    secret: true,
    description:
      'The bearer token that /metrics needs. Without it and DASHBOARD_API_METRICS_ADDRESS there is no /metrics.',
  },
  metricsAddress: {
    description:
      'A separate address and port for /metrics, instead of the port of the service. A port alone is on 127.0.0.1; 0 picks a free one.',
  },
  trustProxy: withDefault(
    '',
    'The proxies whose X-Forwarded-For is trusted, for limits per client. None by default: any client can send it.',
  ),
  waitlistRate: withDefault(
    '100/1m',
    'Rate limit of sign-ups for each client; over PostgreSQL, on all nodes together.',
  ),
  auditProjects: withDefault('true', 'Whether the audit log records who created and updated projects.'),
  maxConnections: withDefault(
    '1000',
    'Maximum of open connections; for each address a tenth of it, and at least 100. At a limit the longest-idle connection is closed; connections with incomplete requests first.',
  ),
  maxProjectsPerTeam: withDefault(String(defaultTeamLimits.projects), 'How many projects a team may have.'),
  auditRetention: withDefault('400d', 'How long entries of the audit log are stored, at least a day.'),
  logLevel: withDefault('info', 'The lowest level that is logged; requests are logged at info.'),
} as const satisfies Record<string, Row>

export type SettingName = keyof typeof rows

export const settingNames = Object.keys(rows) as SettingName[]

/** The variable with the path of a secret's file. */
export const fileVariable = (variable: string): string => `${variable}_FILE`

/** Adds the variable of a row: `logLevel` is DASHBOARD_API_LOG_LEVEL. */
function withVariable([name, row]: [string, Row]): [string, Setting] {
  const env: Setting['env'] = `DASHBOARD_API_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
  const inFile = row.secret ? ` ${fileVariable(env)} names a file with it instead.` : ''
  return [name, { ...row, env, flag: row.flags?.split(' ')[0], description: row.description + inFile }]
}

/** The settings of production. The reader, the help and the documentation are made from this table. */
export const settingsTable = Object.fromEntries(Object.entries(rows).map(withVariable)) as {
  [Name in SettingName]: (typeof rows)[Name] & Setting
}

/** The variables of all settings, with those that name the file of a secret. */
export const settingVariables: readonly string[] = Object.values<Setting>(settingsTable).flatMap(
  ({ env, secret }) => (secret ? [env, fileVariable(env)] : [env]),
)
