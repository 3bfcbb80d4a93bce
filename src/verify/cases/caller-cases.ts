import type { Case, CaseRequest, Expectation, Pattern, Persona } from './case.js'
import { creates, each, lists, step, table, updates } from './case-table.js'
import { allProjects, created, failure, updated } from './expectations.js'
import { bundle, create, foreign, list, own, update } from './requests.js'
import { callerNames } from './test-data.js'

// Which callers may run which of the four operations with a session (section 5).

const lacking = failure('INSUFFICIENT_PERMISSIONS')
const noTeam = failure('TEAM_MEMBERSHIP_REQUIRED')
const noOrganization = failure('ONBOARDING_REQUIRED')
/** A 401 names no authentication scheme: there is none for cookies. */
const headers = { 'www-authenticate': null }
const unauthorized = { ...failure('AUTH_REQUIRED'), headers }

/** The callers, what refuses them a creation and an update, and the requirement that says so. */
const callers: [
  as: Persona | undefined,
  requirement: string,
  creation?: Expectation,
  change?: Expectation,
][] = [
  [undefined, 'callers: no valid session', unauthorized, unauthorized],
  ['expired', 'callers: no valid session', unauthorized, unauthorized],
  ['no-organization', 'callers: no organisation', noOrganization, noOrganization],
  ['no-team', 'callers: no team', noTeam, noTeam],
  ['acme-owner', '5 the session cookie'],
  ['acme-member', '5 the session cookie'],
  ['globex-owner', '5 the session cookie'],
  ['acme-creator', 'callers: no permission', undefined, lacking],
  ['acme-updater', 'callers: no permission', lacking],
  ['acme-viewer', 'callers: no permission', lacking, lacking],
  ['acme-near-miss', 'callers: no permission', lacking, lacking],
]

/** One case for each operation. A creation has a name of its own: those that succeed run side by side. */
const row = (
  name: string,
  caller: Pick<CaseRequest, 'as' | 'cookies' | 'raw'>,
  requirement: string,
  expected: Record<'list' | 'create' | 'update' | 'bundle', Expectation>,
): Case[] => {
  const requests = [
    ['list', list()],
    ['create', create(undefined, { name: `Fresh of ${name}` })],
    ['update', update(undefined, caller.as === 'globex-owner' ? foreign : own, { status: 'active' })],
    ['bundle', bundle()],
  ] as const
  return each(
    requests,
    requirement,
    ([operation]) => `${name}: ${operation} returns ${expected[operation].status}`,
    ([operation, request]) => step({ ...request, ...caller }, expected[operation]),
    { addsOnly: true },
  )
}

/** A caller without a valid session. */
export const signedOutRow = (name: string, caller: Pick<CaseRequest, 'as' | 'cookies' | 'raw'>): Case[] =>
  row(name, caller, 'callers: no valid session', {
    list: unauthorized,
    create: unauthorized,
    update: unauthorized,
    bundle: { status: 401, headers },
  })

/** What the bundle of a caller says about team and permissions. */
const bundleOf = (as: Persona, creation?: Expectation, change?: Expectation): { [key: string]: Pattern } =>
  as.startsWith('no-')
    ? {
        organization: { orgCode: (code: string) => (code === '') === (as === 'no-organization') },
        teamId: '',
        projects: ({ length }: object[]) => length === 0,
      }
    : {
        permissions: (permissions: string[]) =>
          permissions.includes('create:projects') === !creation &&
          permissions.includes('update:projects') === !change,
      }

const name = 'Not allowed'
const creations = [{ name }, { name, description: 'No' }]
const changes = [{}, { name }, { description: 'No' }, { status: 'No' }]

export const callerCases: Case[] = [
  ...callers.flatMap(([as, requirement, creation, change]) => {
    if (!as || as === 'expired') return signedOutRow(as ?? 'no cookie', { as })
    const caller = callerNames[as]
    return row(caller, { as }, requirement, {
      list: as.startsWith('no-') ? { status: 200, body: { projects: [] } } : allProjects(as),
      create: creation ?? created({ name: `Fresh of ${caller}` }, as),
      update: change ?? updated({ status: 'active' }),
      bundle: { status: 200, has: bundleOf(as, creation, change) },
    })
  }),
  ...table('5 the session cookie', {
    'The session determines the team: the other team has its own projects': [
      lists('globex-owner'),
      creates('globex-owner', { name: 'Mobile app' }, created({}, 'globex-owner')),
      lists('acme-owner'),
    ],
  }),
  ...table('callers: no permission', {
    'A refused change has no effect': [
      ...callers.flatMap(([as, , creation, change]) => [
        ...(creation ? creations.map((json) => creates(as, json, creation)) : []),
        ...(change ? changes.map((json) => updates(as, own, json, change)) : []),
      ]),
      lists('acme-viewer'),
    ],
  }),
]
