import type { Case, CaseRequest, Expectation, Persona } from './case.js'
import { creates, lists, step, table, updates } from './case-table.js'
import { allProjects, bundleWith, created, failure, shortFailure, updated } from './expectations.js'
import { bundle, create, foreign, list, own, update } from './requests.js'
import { callerNames } from './test-data.js'

// Which callers may run which of the four operations with a session (section 5).

/** A creation has a name of its own: those that succeed run side by side. */
const requests = (name: string, id: string) => ({
  list: list(),
  create: create(undefined, { name: `Fresh of ${name}` }),
  update: update(undefined, id, { status: 'active' }),
  bundle: bundle(),
})

type Row = Record<keyof ReturnType<typeof requests>, Expectation>

/** A 401 names no authentication scheme: there is none for cookies. */
const unauthorized = { ...failure('AUTH_REQUIRED'), headers: { 'www-authenticate': null } }

/** What a caller without a valid session gets. */
const signedOut: Row = {
  list: unauthorized,
  create: unauthorized,
  update: unauthorized,
  bundle: { ...shortFailure(401), headers: { 'www-authenticate': null } },
}

/** A row of the callers table: one case for each operation. @param caller who sends the requests */
const row = (
  name: string,
  caller: Pick<CaseRequest, 'as' | 'cookies' | 'raw'>,
  requirement: string,
  expected: Row,
): Case[] =>
  Object.entries(requests(name, caller.as === 'globex-owner' ? foreign : own)).flatMap(
    ([operation, request]) => {
      const expect = expected[operation as keyof Row]
      const title = `${name}: ${operation} returns ${expect.status}`
      return table(requirement, { [title]: step({ ...request, ...caller }, expect) }, { addsOnly: true })
    },
  )

/** A caller without a valid session. */
export const signedOutRow = (name: string, caller: Pick<CaseRequest, 'as' | 'cookies' | 'raw'>): Case[] =>
  row(name, caller, 'callers: no valid session', signedOut)

/** A caller whom changes are refused to, and whose list is empty. */
const withoutTeam = (as: Persona, requirement: string, refusal: Expectation): Case[] => {
  const emptyList = { status: 200, body: { projects: [] } }
  const bundle = bundleWith('no team and no projects', ({ organization, teamId, projects }) => {
    const hasNoCode = organization.orgCode === ''
    return hasNoCode === (as === 'no-organization') && teamId === '' && projects.length === 0
  })
  return row(callerNames[as], { as }, requirement, {
    list: emptyList,
    create: refusal,
    update: refusal,
    bundle,
  })
}

/** The members of a team, and which of the two permissions for changes they have. */
const members: [as: Persona, mayCreate: boolean, mayUpdate: boolean][] = [
  ['acme-owner', true, true],
  ['acme-member', true, true],
  ['globex-owner', true, true],
  ['acme-creator', true, false],
  ['acme-updater', false, true],
  ['acme-viewer', false, false],
  ['acme-near-miss', false, false],
]

const lacking = failure('INSUFFICIENT_PERMISSIONS')

/** What callers do who may not; then nothing has changed. */
const refusedChanges: [as: Persona | undefined, refusal: Expectation][] = [
  ['acme-viewer', lacking],
  ['acme-near-miss', lacking],
  ['no-team', failure('TEAM_MEMBERSHIP_REQUIRED')],
  ['no-organization', failure('ONBOARDING_REQUIRED')],
  ['expired', unauthorized],
  [undefined, unauthorized],
]

export const callerCases: Case[] = [
  ...signedOutRow('no cookie', {}),
  ...signedOutRow('expired', { as: 'expired' }),
  ...withoutTeam('no-organization', 'callers: no organisation', failure('ONBOARDING_REQUIRED')),
  ...withoutTeam('no-team', 'callers: no team', failure('TEAM_MEMBERSHIP_REQUIRED')),
  ...members.flatMap(([as, mayCreate, mayUpdate]) =>
    row(callerNames[as], { as }, mayCreate && mayUpdate ? '5 the session cookie' : 'callers: no permission', {
      list: allProjects(as),
      create: mayCreate ? created({ name: `Fresh of ${callerNames[as]}` }, as) : lacking,
      update: mayUpdate ? updated({ status: 'active' }) : lacking,
      bundle: bundleWith(
        'the permissions that the caller has',
        ({ permissions }) =>
          permissions.includes('create:projects') === mayCreate &&
          permissions.includes('update:projects') === mayUpdate,
      ),
    }),
  ),
  ...table('5 the session cookie', {
    'The session determines the team: the other team has its own projects': [
      lists('globex-owner'),
      creates('globex-owner', { name: 'Mobile app' }, created({}, 'globex-owner')),
      lists('acme-owner'),
    ],
  }),
  ...table('callers: no permission', {
    'A refused change has no effect': [
      ...refusedChanges.flatMap(([as, refusal]) => [
        creates(as, { name: 'Not allowed' }, refusal),
        updates(as, own, { name: 'No' }, refusal),
      ]),
      creates('acme-updater', { name: 'Not allowed' }, lacking),
      updates('acme-creator', own, { description: 'No' }, lacking),
      lists('acme-viewer'),
    ],
  }),
]
