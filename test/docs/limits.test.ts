import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defaultTeamLimits, maxBodyBytes } from '../../src/contract/limits.js'
import { maxControlBytes } from '../../src/mock/http/control-routes.js'
import { maxPendingPerSession } from '../../src/server/http/pending-limit.js'
import { fixedRates } from '../../src/server/http/rate-limit.js'
import { settingsTable } from '../../src/server/settings/settings-table.js'

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const [, section = ''] = /^## Limits\n([^#]*)/m.exec(page) ?? []
const rows = [...section.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm)].map(
  ([, what = '', value = '', setting = '']) => ({ what, value, setting }),
)

/** A default in the form of the page: `100 a minute`, `1,000`. */
function written(value: string): string {
  if (value.endsWith('/1m')) return `${written(value.slice(0, -3))} a minute`
  return Number(value).toLocaleString('en')
}
const inMebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`

describe('the table of limits', () => {
  const settings: { env: string; default?: string }[] = Object.values(settingsTable)
  const limits = settings.filter(({ env }) => /_(MAX|MIN)_|_RATE$/.test(env))

  it.each(limits.map(({ env, default: value = '' }) => [env, written(value)]))('has %s: %s', (env, value) => {
    const row = rows.find(({ setting }) => setting === `\`${env}\``)
    expect(row?.value).toMatch(new RegExp(`^${value}(?![\\d,])`))
  })

  const value = (what: string) => rows.find((row) => row.what.startsWith(what))?.value

  it('has the limits that no setting changes', () => {
    const { signInRate, backChannelLogoutRate } = fixedRates
    expect(value('sign-ins of one client')).toMatch(`${written(`${signInRate.max}/1m`)};`)
    expect(value('back-channel logouts')).toMatch(`${written(`${backChannelLogoutRate.max}/1m`)};`)
    expect(value('pending requests of one session')).toBe(String(maxPendingPerSession))
    expect(value("text of a team's projects")).toBe(inMebibytes(defaultTeamLimits.bytes))
  })

  it('has the sizes of bodies', () => {
    expect(value('size of a request body')).toBe(`${maxBodyBytes / 1024} KiB`)
    expect(value("mock: size of a control's body")).toBe(inMebibytes(maxControlBytes))
  })
})
