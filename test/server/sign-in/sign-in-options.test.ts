import { expect, test } from 'vitest'
import { readSettings } from '../../../src/server/settings/settings.js'
import { signInOptions } from '../../../src/server/sign-in/sign-in-options.js'
import { secret } from '../server-harness.js'

test.each([{}, { oidcIssuer: 'https://id.example' }, { oidcClientId: 'dashboard' }])(
  'nobody signs in at an identity provider that is not configured: %j',
  (configured) => {
    const settings = readSettings({ DASHBOARD_API_SESSION_SECRET: secret })
    expect(signInOptions({ ...settings, ...configured })).toBeUndefined()
  },
)
