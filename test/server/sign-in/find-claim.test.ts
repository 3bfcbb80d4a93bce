import { expect, test } from 'vitest'
import { findClaim } from '../../../src/server/sign-in/find-claim.js'

const claims = {
  email: 'ada@id.example',
  'https://x.example/org': { code: 'org_acme', units: [{ code: 'unit_1' }] },
  'https://x.example/team.code': 'a whole name',
  'https://x.example/team': { code: 'inside' },
  realm_access: { roles: ['create:projects'] },
  resource_access: { 'my.client': { roles: [] }, my: { client: { roles: ['not this one'] } } },
  a: { 'b.c': null, b: { c: 'shadowed', d: 'found' } },
  'a.b': { e: 'longest', c: undefined },
  'a.': 'a dot at the end',
  empty: '',
  absent: null,
}

test.each([
  ['email', 'ada@id.example'],
  ['https://x.example/org.code', 'org_acme'],
  ['https://x.example/org.units.0.code', 'unit_1'],
  ['https://x.example/team.code', 'a whole name'],
  ['realm_access.roles', ['create:projects']],
  ['resource_access.my.client.roles', []],
  ['a.b.c', null],
  ['a.b.d', 'found'],
  ['a.b.e', 'longest'],
  ['a.', 'a dot at the end'],
  ['empty', ''],
])('%s is %j', (path, value) => {
  expect(findClaim(claims, path)).toEqual(value)
})

test.each([
  'https://x.example/org.name',
  'https://x.example/org.units.1.code',
  'email.length.x',
  'absent.code',
  'email.0',
  'nobody.roles',
  '.email',
  '.',
  'a..d',
  'constructor',
  'toString.name',
  'realm_access.constructor.name',
  '__proto__.hasOwnProperty',
])('%s is not a path of a claim', (path) => {
  expect(findClaim(claims, path)).toBeUndefined()
})
