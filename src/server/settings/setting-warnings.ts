import { isLoopbackHttpUrl } from '../../contract/loopback.js'
import type { Operation } from '../../contract/operations.js'
import { operations } from '../../contract/operations.js'
import type { Settings } from './settings.js'
import { settingsTable, settingVariables } from './settings-table.js'

/** The variable that names a running mock, for its commands, and variables of this package's tests. */
const others = /^DASHBOARD_API_(URL|BIN|TEST_.*)$/

/** A sentence for each variable that looks like a setting and is none. */
export const unknownVariables = (env: Record<string, string | undefined>): string[] =>
  Object.keys(env)
    .filter(
      (name) => name.startsWith('DASHBOARD_API_') && !settingVariables.includes(name) && !others.test(name),
    )
    .map((name) => `${name} is no setting.`)

/** Probable mistakes in valid settings and their environment, a sentence each. */
export function* settingWarnings(
  settings: Settings,
  env: Record<string, string | undefined>,
): Generator<string> {
  yield* unknownVariables(env)
  for (const variable of settingVariables) {
    if (/^(["']).*\1$/s.test(env[variable]?.trim() ?? '')) {
      yield `${variable} begins and ends with a quote, which is a part of its value: podman and docker keep the quotes of an --env-file.`
    }
  }
  const { defaultPermissions, trustProxy, sessionIdle, sessionTtl, publicUrl } = settings
  const required = Object.values<Operation>(operations).map(({ permission }) => permission)
  const unused = defaultPermissions.filter((permission) => !required.includes(permission as never))
  if (unused.length > 0) {
    yield `${settingsTable.defaultPermissions.env} has permissions that no operation requires: ${unused.join(', ')}.`
  }
  const everyone = trustProxy.filter((network) => network.endsWith('/0'))
  if (everyone.length > 0) {
    yield `${settingsTable.trustProxy.env}=${everyone.join(',')} trusts every client to tell its own address, so that limits per client mean nothing. Name the proxies only.`
  }
  if (sessionIdle > sessionTtl) {
    yield `${settingsTable.sessionIdle.env} is longer than ${settingsTable.sessionTtl.env}, which ends every session before.`
  }
  if (publicUrl?.startsWith('http:') && !isLoopbackHttpUrl(publicUrl)) {
    yield `${settingsTable.publicUrl.env}=${publicUrl} is not https: browsers do not send the Secure session cookie, so users do not stay signed in.`
  }
}
