import type { ErrorCode } from '../../contract/errors.js'
import type { Case, CaseRequest, Expectation, Persona } from './case.js'
import { creates, lists, step, table, updates } from './case-table.js'
import { allProjects, created, failure, shortFailure, updated } from './expectations.js'
import { bundle, create, list, own, update } from './requests.js'
import type { Requirement } from './requirements.js'
import { callerNames } from './test-data.js'

// Which callers may run which of the four operations with a session (section 5).

/** A creation has a name of its own: those that succeed run side by side. */
const requests = (name: string) => ({
  list: list(),
  create: create(undefined, { name: `Fresh of ${name}` }),
  update: update(undefined, own, { status: 'active' }),
  bundle: bundle(),
})

type Row = Record<keyof ReturnType<typeof requests>, Expectation>

const changesRefused = (code: ErrorCode) => ({ create: failure(code), update: failure(code) })
const refusedList = { ...failure('AUTH_REQUIRED'), headers: { 'www-authenticate': null } }

/** What a caller without a valid session gets. A 401 names no authentication scheme: there is none for cookies. */
export const unauthorized: Row = {
  bundle: { ...shortFailure(401), headers: { 'www-authenticate': null } },
  list: refusedList,
  create: refusedList,
  update: refusedList,
}

/** A row of the callers table: one case for each operation. @param caller who sends the requests */
export const row = (
  name: string,
  caller: Pick<CaseRequest, 'as' | 'cookies' | 'raw'>,
  requirement: Requirement,
  expected: Row,
): Case[] =>
  Object.entries(requests(name)).flatMap(([operation, request]) => {
    const expect = expected[operation as keyof Row]
    const title = `${name}: ${operation} returns ${expect.status}`
    return table(requirement, { [title]: step({ ...request, ...caller }, expect) }, { addsOnly: true })
  })

const persona = (as: Persona, requirement: Requirement, expected: Partial<Row>): Case[] =>
  row(callerNames[as], { as }, requirement, {
    list: allProjects(as),
    bundle: { status: 200 },
    create: created({ name: `Fresh of ${callerNames[as]}` }, as),
    update: updated({ status: 'active' }),
    ...expected,
  })

const lacking = failure('INSUFFICIENT_PERMISSIONS')
const emptyList = { status: 200, body: { projects: [] } }

export const callerCases: Case[] = [
  ...row('no cookie', {}, 'callers: no valid session', unauthorized),
  ...persona('expired', 'callers: no valid session', unauthorized),
  ...persona('no-organization', 'callers: no organisation', {
    ...changesRefused('ONBOARDING_REQUIRED'),
    list: emptyList,
  }),
  ...persona('no-team', 'callers: no team', {
    ...changesRefused('TEAM_MEMBERSHIP_REQUIRED'),
    list: emptyList,
  }),
  ...persona('acme-owner', '5 the session cookie', {}),
  ...persona('acme-member', '5 the session cookie', {}),
  ...persona('acme-viewer', 'callers: no permission', changesRefused('INSUFFICIENT_PERMISSIONS')),
  ...persona('acme-near-miss', 'callers: no permission', changesRefused('INSUFFICIENT_PERMISSIONS')),
  ...persona('acme-creator', 'callers: no permission', { update: lacking }),
  ...persona('acme-updater', 'callers: no permission', { create: lacking }),
  ...table('5 the session cookie', {
    'The session determines the team: the other team has its own projects': [
      lists('globex-owner'),
      creates('globex-owner', { name: 'Mobile app' }, created({}, 'globex-owner')),
      lists('acme-owner'),
    ],
  }),
  ...table('callers: no permission', {
    'A refused change has no effect': [
      ...(['acme-viewer', 'acme-near-miss'] as const).flatMap((as) => [
        creates(as, { name: 'Not allowed' }, lacking),
        updates(as, own, { name: 'No' }, lacking),
      ]),
      creates('acme-updater', { name: 'Not allowed' }, lacking),
      updates('acme-creator', own, { description: 'No' }, lacking),
      creates('no-team', { name: 'Not allowed' }, failure('TEAM_MEMBERSHIP_REQUIRED')),
      updates('no-organization', own, { name: 'No' }, failure('ONBOARDING_REQUIRED')),
      updates('expired', own, { name: 'No' }, failure('AUTH_REQUIRED')),
      updates(undefined, own, { name: 'No' }, failure('AUTH_REQUIRED')),
      lists('acme-viewer'),
    ],
  }),
]
