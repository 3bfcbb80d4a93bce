import type { Case, CaseRequest, Expectation, Pattern, Persona } from './case.js'
import { bundle, create, each, failure, foreign, lacking, list, own, table, update } from './steps.js'
import { callerNames } from './test-data.js'

// Which callers may run which of the four operations with a session (section 5).

const noTeam = failure('TEAM_MEMBERSHIP_REQUIRED')
const noOrganization = failure('ONBOARDING_REQUIRED')
/** A 401 names no authentication scheme: there is none for cookies. */
const headers = { 'www-authenticate': null }
const unauthorized = { ...failure('AUTH_REQUIRED'), headers }

type Refusals = { list?: Expectation; create?: Expectation; update?: Expectation; bundle?: Expectation }
const signedOut: Refusals = {
  list: unauthorized,
  create: unauthorized,
  update: unauthorized,
  bundle: { status: 401, headers },
}

const noSession = 'callers: no valid session'
/** The callers, what refuses them an operation, and the requirement that says so. */
const callers: [as: Persona | undefined, requirement: string, refusals: Refusals][] = [
  [undefined, noSession, signedOut],
  ['expired', noSession, signedOut],
  ['no-organization', 'callers: no organisation', { create: noOrganization, update: noOrganization }],
  ['no-team', 'callers: no team', { create: noTeam, update: noTeam }],
  ['acme-owner', '5 the session cookie', {}],
  ['acme-member', '5 the session cookie', {}],
  ['globex-owner', '5 the session cookie', {}],
  ['acme-creator', 'callers: no permission', { update: lacking }],
  ['acme-updater', 'callers: no permission', { create: lacking }],
  ['acme-viewer', 'callers: no permission', { create: lacking, update: lacking }],
  ['acme-near-miss', 'callers: no permission', { create: lacking, update: lacking }],
]

type Caller = Pick<CaseRequest, 'as' | 'cookies' | 'raw'>

const creations = [{ name: 'Fresh' }, { name: 'Other', description: 'x' }]
const changes = [{}, { name: 'Fresh' }, { description: 'x' }, { status: 'x' }]

/** One case for each operation; what a caller without a valid session gets is the default. */
export const row = (name: string, caller: Caller, requirement = noSession, expected = signedOut): Case[] => {
  const id = caller.as === 'globex-owner' ? foreign : own
  const some = <Item>(items: Item[]) => (caller.as ? items : items.slice(-1))
  const requests = [
    ['list', 200, [list()]],
    ['create', 201, some(creations).map((json) => create(undefined, json))],
    ['update', 200, some(changes).map((json) => update(undefined, id, json))],
    ['bundle', 200, [bundle()]],
  ] as const
  return each(
    requests,
    requirement,
    ([operation, success]) => `${name}: ${operation} returns ${expected[operation]?.status ?? success}`,
    ([operation, , all]) => [all.map((request) => ({ ...request, ...caller, expect: expected[operation] }))],
  )
}

/** What the bundle of a caller says about team and permissions. */
const bundleOf = (as: Persona, refusals: Refusals): { [key: string]: Pattern } =>
  as.startsWith('no-')
    ? {
        organization: { orgCode: (code: string) => (code === '') === (as === 'no-organization') },
        teamId: '',
        projects: ({ length }: object[]) => length === 0,
      }
    : {
        permissions: (permissions: string[]) =>
          permissions.includes('create:projects') === !refusals.create &&
          permissions.includes('update:projects') === !refusals.update,
      }

export const callerCases: Case[] = callers.flatMap(([as, requirement, refusals]) => {
  const isSignedOut = !as || as === 'expired'
  const expected = isSignedOut ? refusals : { ...refusals, bundle: { has: bundleOf(as, refusals) } }
  return row(as ? callerNames[as] : 'no cookie', { as }, requirement, expected)
})

const differsFrom = (other: string) => (value: string) => value !== '' && value !== other
const members = ['acme-member', 'acme-viewer', 'acme-creator', 'acme-updater', 'acme-near-miss'] as const

/** The session bundle (2.2, 4.4). The mock's has two more keys than production's: that is checked of every bundle. */
export const bundleCases: Case[] = [
  ...table(
    { requirement: '5.4 the mock branch is marked', mode: 'mock' },
    { "The mock's bundle has devMode and role": bundle('acme-owner') },
  ),
  ...table(
    { requirement: 'modes: only the mock sets devMode and role', mode: 'production' },
    { "Production's bundle has neither devMode nor role": bundle('acme-owner') },
  ),
  ...table('4.4 the session bundle', {
    'The callers of one team have its id and organisation code, and the other team has others': [
      bundle('acme-owner', { has: { organization: { orgCode: differsFrom('') }, teamId: differsFrom('') } }),
      ...members.map((as) =>
        bundle(as, ({ data }) => {
          const { user, organization, teamId } = data.bundle('acme-owner')
          return { has: { user: { id: differsFrom(user.id) }, organization, teamId } }
        }),
      ),
      bundle('globex-owner', ({ data }) => {
        const { organization, teamId } = data.bundle('acme-owner')
        const orgCode = differsFrom(organization.orgCode)
        return { has: { organization: { orgCode }, teamId: differsFrom(teamId) } }
      }),
    ],
  }),
]
