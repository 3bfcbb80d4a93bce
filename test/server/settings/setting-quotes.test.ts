import { expect, test } from 'vitest'
import { settingWarnings } from '../../../src/server/settings/setting-warnings.js'
import { readSettings } from '../../../src/server/settings/settings.js'

const secret = 'a-secret-of-at-least-thirty-two-bytes'
const warningsOf = (env: Record<string, string>) => [...settingWarnings(readSettings(env), env)]

test.each(['"', "'"])(
  'the quote %s around a value, which an --env-file keeps, leads to a warning without the value',
  (quote) => {
    const [warning, ...others] = warningsOf({ DASHBOARD_API_SESSION_SECRET: quote + secret + quote })
    expect(warning).toMatch(/^DASHBOARD_API_SESSION_SECRET begins and ends with a quote.*--env-file/)
    expect(warning).not.toContain(secret)
    expect(others).toEqual([])
  },
)

test('a quote at one end is a part of a secret', () => {
  expect(warningsOf({ DASHBOARD_API_SESSION_SECRET: `"${secret}` })).toEqual([])
})
