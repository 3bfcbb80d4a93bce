import type { ErrorCode } from '../../contract/errors.js'
import type { Case, CaseRequest, Expectation, Persona } from './case.js'
import { allProjects, created, failure, shortFailure, updated } from './expectations.js'
import { bundle, create, given, list, own, step, update } from './requests.js'
import type { Requirement } from './requirements.js'
import { callerNames } from './test-data.js'

// Which callers may run which of the four operations with a session (section 5).

const requests = {
  list: list(),
  create: create(undefined, { name: 'Fresh' }),
  update: update(undefined, own, { status: 'active' }),
  bundle: bundle(),
}

type Row = Record<keyof typeof requests, Expectation>

const changesRefused = (code: ErrorCode) => ({ create: failure(code), update: failure(code) })
const noHeader = { headers: { 'www-authenticate': null } }

/** What a caller without a valid session gets. A 401 names no authentication scheme: there is none for cookies. */
export const unauthorized: Row = {
  bundle: { ...shortFailure(401), ...noHeader },
  list: { ...failure('AUTH_REQUIRED'), ...noHeader },
  create: { ...failure('AUTH_REQUIRED'), ...noHeader },
  update: { ...failure('AUTH_REQUIRED'), ...noHeader },
}

/** A row of the callers table: one case for each operation. @param caller who sends the requests */
export const row = (
  name: string,
  caller: Pick<CaseRequest, 'as' | 'cookies' | 'raw'>,
  requirement: Requirement,
  expected: Row,
): Case[] =>
  (Object.keys(requests) as (keyof Row)[]).map((operation) =>
    given(
      `${name}: ${operation} returns ${expected[operation].status}`,
      requirement,
      step({ ...requests[operation], ...caller }, expected[operation]),
    ),
  )

const persona = (as: Persona, requirement: Requirement, expected: Partial<Row>): Case[] =>
  row(callerNames[as], { as }, requirement, {
    list: allProjects(as),
    bundle: { status: 200 },
    create: created({ name: 'Fresh' }, as),
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
  given(
    'The session determines the team: the other team has its own projects',
    '5 the session cookie',
    step(list('globex-owner'), allProjects('globex-owner')),
    step(create('globex-owner', { name: 'Mobile app' }), created({}, 'globex-owner')),
    step(list('acme-owner'), allProjects()),
  ),
  given(
    'A refused change has no effect',
    'callers: no permission',
    ...(['acme-viewer', 'acme-near-miss'] as const).flatMap((as) => [
      step(create(as, { name: 'Not allowed' }), lacking),
      step(update(as, own, { name: 'No' }), lacking),
    ]),
    step(create('acme-updater', { name: 'Not allowed' }), lacking),
    step(update('acme-creator', own, { description: 'No' }), lacking),
    step(create('no-team', { name: 'Not allowed' }), failure('TEAM_MEMBERSHIP_REQUIRED')),
    step(update('no-organization', own, { name: 'No' }), failure('ONBOARDING_REQUIRED')),
    step(update('expired', own, { name: 'No' }), failure('AUTH_REQUIRED')),
    step(update(undefined, own, { name: 'No' }), failure('AUTH_REQUIRED')),
    step(list('acme-viewer'), allProjects()),
  ),
]
