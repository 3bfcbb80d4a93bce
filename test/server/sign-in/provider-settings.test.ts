import { expect, test } from 'vitest'
import { readSettings } from '../../../src/server/settings/settings.js'
import { hasProvider } from '../../../src/server/sign-in/provider-settings.js'
import { secret } from '../server-harness.js'

test.each([{}, { oidcIssuer: 'https://id.example' }, { oidcClientId: 'dashboard' }])(
  'an incomplete configuration has no identity provider: %j',
  (configured) => {
    const settings = readSettings({ DASHBOARD_API_SESSION_SECRET: secret })
    expect(hasProvider({ ...settings, ...configured })).toBe(false)
  },
)
