import type { Case, CaseRequest, Expectation, Persona } from './case.js'
import { creates, each, lists, step, table, updates } from './case-table.js'
import { allProjects, bundleWith, created, failure, shortFailure, updated } from './expectations.js'
import { bundle, create, foreign, list, own, update } from './requests.js'
import { callerNames } from './test-data.js'

// Which callers may run which of the four operations with a session (section 5).

/** A row of the callers table. */
type Row = { list: Expectation; create: Expectation; update: Expectation; bundle: Expectation }

/** One case for each operation. A creation has a name of its own: those that succeed run side by side. */
const row = (
  name: string,
  caller: Pick<CaseRequest, 'as' | 'cookies' | 'raw'>,
  requirement: string,
  expected: Row,
): Case[] => {
  const id = caller.as === 'globex-owner' ? foreign : own
  const requests: [keyof Row, CaseRequest][] = [
    ['list', list()],
    ['create', create(undefined, { name: `Fresh of ${name}` })],
    ['update', update(undefined, id, { status: 'active' })],
    ['bundle', bundle()],
  ]
  return each(
    requests,
    requirement,
    ([operation]) => `${name}: ${operation} returns ${expected[operation].status}`,
    ([operation, request]) => step({ ...request, ...caller }, expected[operation]),
    { addsOnly: true },
  )
}

/** A 401 names no authentication scheme: there is none for cookies. */
const headers = { 'www-authenticate': null }
const unauthorized = { ...failure('AUTH_REQUIRED'), headers }

/** A caller without a valid session. */
export const signedOutRow = (name: string, caller: Pick<CaseRequest, 'as' | 'cookies' | 'raw'>): Case[] =>
  row(name, caller, 'callers: no valid session', {
    list: unauthorized,
    create: unauthorized,
    update: unauthorized,
    bundle: { ...shortFailure(401), headers },
  })

/** A caller whom changes are refused to, and whose list is empty. */
const withoutTeam = (as: Persona, requirement: string, refusal: Expectation): Case[] =>
  row(callerNames[as], { as }, requirement, {
    list: { status: 200, body: { projects: [] } },
    create: refusal,
    update: refusal,
    bundle: bundleWith(
      'no team and no projects',
      ({ organization, teamId, projects }) =>
        (organization.orgCode === '') === (as === 'no-organization') &&
        teamId === '' &&
        projects.length === 0,
    ),
  })

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
const noTeam = failure('TEAM_MEMBERSHIP_REQUIRED')
const noOrganization = failure('ONBOARDING_REQUIRED')

/** What callers get who may not create, or not update; then nothing has changed. */
const refusedChanges: [as: Persona | undefined, creation?: Expectation, change?: Expectation][] = [
  ['acme-viewer', lacking, lacking],
  ['acme-near-miss', lacking, lacking],
  ['acme-updater', lacking],
  ['acme-creator', undefined, lacking],
  ['no-team', noTeam, noTeam],
  ['no-organization', noOrganization, noOrganization],
  ['expired', unauthorized, unauthorized],
  [undefined, unauthorized, unauthorized],
]
const name = 'Not allowed'
const creations = [{ name }, { name, description: 'No' }]
const changes = [{}, { name }, { description: 'No' }, { status: 'No' }]

export const callerCases: Case[] = [
  ...signedOutRow('no cookie', {}),
  ...signedOutRow('expired', { as: 'expired' }),
  ...withoutTeam('no-organization', 'callers: no organisation', noOrganization),
  ...withoutTeam('no-team', 'callers: no team', noTeam),
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
      ...refusedChanges.flatMap(([as, creation, change]) => [
        ...(creation ? creations.map((json) => creates(as, json, creation)) : []),
        ...(change ? changes.map((json) => updates(as, own, json, change)) : []),
      ]),
      lists('acme-viewer'),
    ],
  }),
]
