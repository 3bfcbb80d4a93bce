import { canonicalJson } from './canonical-json.js'
import type { Case, Persona, ReceivedResponse } from './case.js'
import { bundled, creates, step, table, updates } from './case-table.js'
import { bundleIn, created, failure, updated } from './expectations.js'
import { bundle, foreign, own } from './requests.js'
import { callerNames, personas } from './test-data.js'

// The session bundle (2.2, 4.4).

/** The mock's bundle has two more keys than production's, both or none; a deployment's roles are not known. */
const inMock = (as: Persona): Case[] =>
  table(
    '5.4 the mock branch is marked',
    {
      [`The mock's bundle of ${callerNames[as]} has the persona's data, devMode and role`]: bundled(
        as,
        "expected the persona's data, with devMode and role",
        ({ devMode, role, ...rest }, { data }) =>
          devMode === true &&
          role === (data.role(as) ?? role) &&
          canonicalJson(rest) === canonicalJson(data.bundle(as)),
      ),
    },
    { mode: 'mock' },
  )

const inProduction = (as: Persona): Case[] =>
  table(
    'modes: only the mock sets devMode and role',
    {
      [`The production bundle of ${callerNames[as]} has the same data without devMode and role`]: step(
        bundle(as),
        ({ data }) => ({ status: 200, body: data.bundle(as) }),
      ),
    },
    { mode: 'production' },
  )

const changePermissions = ['create:projects', 'update:projects']

/** The permissions that a caller's bundle has, of the two that changes need. */
const expectedPermissions: [as: Persona, permissions: string[]][] = [
  ['acme-owner', changePermissions],
  ['acme-member', changePermissions],
  ['globex-owner', changePermissions],
  ['acme-creator', ['create:projects']],
  ['acme-updater', ['update:projects']],
  ['acme-viewer', []],
  ['acme-near-miss', []],
]

const lacking = failure('INSUFFICIENT_PERMISSIONS')

/** Whether an earlier bundle has a permission. */
const has = (response: ReceivedResponse | undefined, permission: string) =>
  bundleIn(response).permissions.includes(permission)

const permissionCases = ([as, expected]: (typeof expectedPermissions)[number]): Case[] =>
  table(
    'callers: no permission',
    {
      [`Of the permissions for changes the bundle of ${callerNames[as]} has ${expected.join(' and ') || 'none'}`]:
        bundled(as, `expected ${expected.join(' and ') || 'neither permission'}`, ({ permissions }) =>
          changePermissions.every((name) => permissions.includes(name) === expected.includes(name)),
        ),
      [`Creations and updates of ${callerNames[as]} do what the permissions in the bundle say`]: [
        step(bundle(as), { status: 200 }),
        creates(as, { name: `Permitted to ${callerNames[as]}` }, ({ responses: [session] }) =>
          has(session, 'create:projects') ? created({}, as) : lacking,
        ),
        updates(
          as,
          as === 'globex-owner' ? foreign : own,
          { status: 'active' },
          ({ responses: [session] }) => (has(session, 'update:projects') ? updated() : lacking),
        ),
      ],
    },
    { addsOnly: true },
  )

const otherMembers = ['acme-member', 'acme-viewer', 'acme-creator', 'acme-updater', 'acme-near-miss'] as const

export const bundleCases: Case[] = [
  ...personas.filter((as) => as !== 'expired').flatMap((as) => [...inMock(as), ...inProduction(as)]),
  ...table('2.2 the session bundle', {
    'The bundle has the fields of section 2.2 and no others': (
      ['acme-owner', 'globex-owner', 'no-team'] as const
    ).map((as) => step(bundle(as), { status: 200 })),
  }),
  ...expectedPermissions.flatMap(permissionCases),
  ...table('5 the session cookie', {
    'The callers of one team have its id and organisation code, and the other team has others': [
      bundled(
        'acme-owner',
        'expected a user, an organisation and a team',
        ({ user, organization, teamId }) => ![user.id, organization.orgCode, teamId].includes(''),
      ),
      ...otherMembers.map((as) =>
        bundled(as, 'expected another user of the team', (member, { responses: [first] }) => {
          const owner = bundleIn(first)
          return (
            member.user.id !== owner.user.id &&
            member.organization.orgCode === owner.organization.orgCode &&
            member.teamId === owner.teamId
          )
        }),
      ),
      bundled('globex-owner', 'expected another team', (other, { responses: [first] }) => {
        const owner = bundleIn(first)
        return (
          ![other.user.id, other.organization.orgCode, other.teamId].includes('') &&
          other.teamId !== owner.teamId &&
          other.organization.orgCode !== owner.organization.orgCode
        )
      }),
    ],
  }),
  ...table('4.4 the session bundle', {
    'Without an organisation or a team the bundle has empty strings and an empty list': (
      ['no-organization', 'no-team'] as const
    ).map((as) =>
      bundled(as, 'expected no team and no projects', ({ organization, teamId, projects }) => {
        const hasNoCode = organization.orgCode === ''
        return hasNoCode === (as === 'no-organization') && teamId === '' && projects.length === 0
      }),
    ),
  }),
]
