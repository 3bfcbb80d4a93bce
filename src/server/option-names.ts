import type {
  DashboardApiOptions,
  ServerSettings,
  ServiceSettings,
  SessionSettings,
} from './plugin-options.js'
import { SettingsError } from './settings/settings.js'

// The compiler checks that each list is complete. Callers in JavaScript have no other check of names.

const serviceNames = {
  publicUrl: true,
  docsUrl: true,
  allowedOrigins: true,
  waitlistRate: true,
  maxProjectsPerTeam: true,
} satisfies Record<keyof ServiceSettings, true>

const sessionNames = {
  sessionSecret: true,
  sessionCookie: true,
  sessionTtl: true,
  sessionIdle: true,
  oidcIssuer: true,
  oidcClientId: true,
  oidcClientSecret: true,
  oidcClientKey: true,
  oidcClientAuth: true,
  oidcScopes: true,
  oidcAudience: true,
  oidcAccessClaims: true,
  oidcClaims: true,
  defaultPermissions: true,
  provisionTeams: true,
} satisfies Record<keyof SessionSettings, true>

const pluginNames = {
  ...serviceNames,
  store: true,
  prefix: true,
  documents: true,
  swagger: true,
  sessions: true,
  session: true,
} satisfies Record<keyof DashboardApiOptions, true>

const serverNames = {
  ...serviceNames,
  ...sessionNames,
  host: true,
  port: true,
  database: true,
  trustProxy: true,
  metricsAddress: true,
  metricsToken: true,
  drainDelay: true,
  logLevel: true,
} satisfies Record<keyof ServerSettings, true>

/** Options of every plugin, which Fastify reads. */
const fastifyNames = { logLevel: true, logSerializers: true }

/** @throws SettingsError with each unknown name of the options of the plugin, or of its sessions */
export function refuseUnknownOptions(options: object, sessions: object = {}): void {
  refuseUnknown([
    ...faultsOf(options, pluginNames, (name) => name in fastifyNames),
    ...faultsOf(sessions, sessionNames).map((fault) => `sessions.${fault}`),
  ])
}

/** @throws SettingsError with each unknown name of the settings of `startServer` */
export const refuseUnknownSettings = (settings: object): void =>
  refuseUnknown(faultsOf(settings, serverNames))

function refuseUnknown(faults: string[]): void {
  if (faults.length > 0) throw new SettingsError(faults.join('\n'))
}

const faultsOf = (options: object, known: object, isAllowed = (_: string) => false): string[] =>
  Object.keys(options)
    .filter((name) => !Object.hasOwn(known, name) && !isAllowed(name))
    .map((name) =>
      known === pluginNames && Object.hasOwn(sessionNames, name)
        ? `${name}: it is an option of \`sessions\`.`
        : `${name}: there is no such option. Possible: ${Object.keys(known).join(', ')}.`,
    )
