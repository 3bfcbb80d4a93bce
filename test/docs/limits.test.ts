import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { maxBodyBytes } from '../../src/contract/operations.js'
import { maxControlBytes } from '../../src/mock/http/control-routes.js'
import { settingsTable } from '../../src/server/settings/settings-table.js'

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const [, section = ''] = /^## Limits\n([^#]*)/m.exec(page) ?? []
const rows = [...section.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm)].map(
  ([, what = '', value = '', setting = '']) => ({ what, value, setting }),
)

/** A default as the page writes it: `32 MiB`, `100 a minute`, `1,000`. */
function written(name: string, value: string): string {
  if (value === 'off') return value
  if (value.endsWith('/1m')) return `${written(name, value.slice(0, -3))} a minute`
  if (name.endsWith('_BYTES')) return inMebibytes(Number(value))
  return Number(value).toLocaleString('en')
}
const inMebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`

describe('the table of limits', () => {
  const settings: { env: string; default?: string }[] = Object.values(settingsTable)
  const limits = settings.filter(({ env }) => /_(MAX|MIN)_|_RATE$/.test(env))

  it.each(limits.map(({ env, default: value = '' }) => [env, written(env, value)]))(
    'has %s: %s',
    (env, value) => {
      const row = rows.find(({ setting }) => setting === `\`${env}\``)
      expect(row?.value).toMatch(new RegExp(`^${value}(?![\\d,])`))
    },
  )

  it('has the sizes of bodies', () => {
    const value = (what: string) => rows.find((row) => row.what.startsWith(what))?.value
    expect(value('size of a request body')).toBe(`${maxBodyBytes / 1024} KiB`)
    expect(value("mock: size of a control's body")).toBe(inMebibytes(maxControlBytes))
  })
})
