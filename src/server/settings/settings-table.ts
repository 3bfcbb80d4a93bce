// The settings of production as data, without zod: the command line's help is made from it at every start.

/** Identity providers whose ways are known. */
export const presets = ['kinde'] as const
export type Preset = (typeof presets)[number]

/** One row of the table: where a setting comes from, and what it has to be. */
export type Setting = {
  env: `DASHBOARD_API_${string}`
  flag?: `--${string}`
  /** As it would be written; none where it is required, or made from other settings. */
  default?: string
  /** The default with the preset of that name (`DASHBOARD_API_OIDC_PRESET`). */
  presets?: { [Name in Preset]?: string }
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
  sessionCookie: {
    env: 'DASHBOARD_API_SESSION_COOKIE',
    default: 'session',
    description:
      'The name of the session cookie. With __Host-session a browser takes it over https from this very host alone.',
    expected: 'session, or __Host-session where the public URL is https',
  },
  oidcIssuer: {
    env: 'DASHBOARD_API_OIDC_ISSUER',
    description:
      'The identity provider (OpenID Connect) where people sign in. Without it sessions are issued on the command line alone.',
    expected: 'an https URL, or http on loopback, e.g. https://example.kinde.com',
  },
  oidcClientId: {
    env: 'DASHBOARD_API_OIDC_CLIENT_ID',
    description: 'The id of this service at the identity provider.',
    expected: 'a client id; the issuer and it are given together or not at all',
  },
  oidcClientSecret: {
    env: 'DASHBOARD_API_OIDC_CLIENT_SECRET',
    description: 'The secret of this service at the identity provider; left out for a public client.',
    expected: 'a client secret',
    secret: true,
  },
  oidcPreset: {
    env: 'DASHBOARD_API_OIDC_PRESET',
    description: 'Defaults for the settings below that suit a provider: kinde.',
    expected: `one of ${presets.join(', ')}`,
  },
  oidcScopes: {
    env: 'DASHBOARD_API_OIDC_SCOPES',
    default: 'openid profile email',
    description: 'What is asked for at sign-in.',
    expected: 'scopes separated by spaces, openid among them',
  },
  oidcAudience: {
    env: 'DASHBOARD_API_OIDC_AUDIENCE',
    description: 'What the access token has to be for; asked for at sign-in.',
    expected: 'an audience, e.g. https://api.example.com',
  },
  oidcAccessClaims: {
    env: 'DASHBOARD_API_OIDC_ACCESS_CLAIMS',
    default: 'id-token',
    presets: { kinde: 'access-token' },
    description:
      'Which token says the organisation and the permissions. With id-token the UserInfo endpoint is asked for what it lacks.',
    expected: 'id-token or access-token',
  },
  oidcOrganizationClaim: {
    env: 'DASHBOARD_API_OIDC_ORGANIZATION_CLAIM',
    default: 'org_code',
    description: 'The claim that says the organisation code.',
    expected: 'the name of a claim',
  },
  oidcPermissionsClaim: {
    env: 'DASHBOARD_API_OIDC_PERMISSIONS_CLAIM',
    default: 'permissions',
    description: 'The claim that lists the permissions.',
    expected: 'the name of a claim',
  },
  oidcEmailClaim: {
    env: 'DASHBOARD_API_OIDC_EMAIL_CLAIM',
    default: 'email',
    description: 'The claim that says the email address.',
    expected: 'the name of a claim',
  },
  oidcGivenNameClaim: {
    env: 'DASHBOARD_API_OIDC_GIVEN_NAME_CLAIM',
    default: 'given_name',
    description: 'The claim that says the given name.',
    expected: 'the name of a claim',
  },
  oidcFamilyNameClaim: {
    env: 'DASHBOARD_API_OIDC_FAMILY_NAME_CLAIM',
    default: 'family_name',
    description: 'The claim that says the family name.',
    expected: 'the name of a claim',
  },
  oidcPictureClaim: {
    env: 'DASHBOARD_API_OIDC_PICTURE_CLAIM',
    default: 'picture',
    description: 'The claim that says where a picture is.',
    expected: 'the name of a claim',
  },
  defaultPermissions: {
    env: 'DASHBOARD_API_DEFAULT_PERMISSIONS',
    default: '',
    description: 'What those may do of whom the identity provider says nothing about permissions.',
    expected: 'permissions separated by commas, e.g. create:projects,update:projects',
  },
  provisionTeams: {
    env: 'DASHBOARD_API_PROVISION_TEAMS',
    flag: '--provision-teams',
    default: 'false',
    description: 'Whether an organisation without a team gets one when somebody of it signs in.',
    expected: 'true or false',
  },
  allowedOrigins: {
    env: 'DASHBOARD_API_ALLOWED_ORIGINS',
    default: '',
    description:
      'Other origins whose pages may call the service with their cookies, and be returned to after signing in.',
    expected: 'origins separated by commas, e.g. https://app.example.com',
  },
  drainDelay: {
    env: 'DASHBOARD_API_DRAIN_DELAY',
    description:
      'How long requests are still taken once it is told to end, while /readyz says no: the time that a load balancer takes to notice.',
    expected: 'a length of time such as 5s or 1m',
  },
  metricsToken: {
    env: 'DASHBOARD_API_METRICS_TOKEN',
    description:
      'Opens /metrics to who brings it as a bearer token. Without it and the port, there is no /metrics.',
    expected: 'at least 16 visible ASCII characters',
    secret: true,
  },
  metricsPort: {
    env: 'DASHBOARD_API_METRICS_PORT',
    description:
      'A port of its own for /metrics, which is then not on the service itself; 0 picks a free one.',
    expected: 'a whole number from 0 to 65535',
  },
  metricsHost: {
    env: 'DASHBOARD_API_METRICS_HOST',
    default: '127.0.0.1',
    description: 'The address that the port of the metrics is bound to.',
    expected: 'a host name or an address',
  },
  trustProxy: {
    env: 'DASHBOARD_API_TRUST_PROXY',
    default: '',
    description:
      'The proxies whose X-Forwarded-For is believed, for limits per client. None unless set: any client could write it.',
    expected: 'addresses, networks, or loopback, separated by commas, e.g. 10.0.0.0/8',
  },
  waitlistRate: {
    env: 'DASHBOARD_API_WAITLIST_RATE',
    default: '100/1m',
    description: 'How often one client may ask to join the waitlist.',
    expected: 'a number within a length of time, e.g. 100/1m, or off',
  },
  signInRate: {
    env: 'DASHBOARD_API_SIGN_IN_RATE',
    default: '60/1m',
    description: 'How often one client may go to sign in, and how often come back.',
    expected: 'a number within a length of time, e.g. 60/1m, or off',
  },
  maxConnections: {
    env: 'DASHBOARD_API_MAX_CONNECTIONS',
    default: '1000',
    description:
      'How many connections may be open at once; for one more, the one that is idle longest is closed.',
    expected: 'a whole number from 1 to 100000',
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
