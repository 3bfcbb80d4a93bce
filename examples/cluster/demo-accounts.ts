import { readFileSync } from 'node:fs'
import type { State } from '../../src/store/state-file.js'
import type { Account } from '../../test/oidc/real-provider.js'

const fixture: State = JSON.parse(readFileSync(new URL('../../fixtures/demo.json', import.meta.url), 'utf8'))

/** An account at the identity provider for each user of the demo fixture, with what its persona may do. */
export function demoAccounts(): Record<string, Account> {
  const accounts = fixture.users.map(({ id, email, givenName, familyName, picture }) => {
    const { orgCode, permissions, note } = fixture.sessions.find(({ userId }) => userId === id) ?? {}
    const names = { email, given_name: givenName, family_name: familyName, picture }
    const account = { ...names, ...(orgCode && { org_code: orgCode }), permissions, note }
    return [id.replace(/^user-/, ''), account] as const
  })
  return Object.fromEntries(accounts)
}
