import type { Case, CaseRequest, Expectation } from './case.js'
import { detailsFor, failure, validationFailure } from './expectations.js'
import { bodyLimit, create, foreign, own, step, update, utf8, withBytes } from './requests.js'

// The order of the checks: session, organisation, team, permission, path, body, existence, name. The first failure
// decides the response.

const blank = '%20'
const tooLarge = utf8(`{"name": "${'x'.repeat(bodyLimit)}`)
const invalid = utf8('{"name": ')

const order = (title: string, request: CaseRequest, expect: Expectation): Case => ({
  title,
  requirement: 'callers: order of the checks',
  steps: [step(request, expect)],
})

export const orderCases: Case[] = [
  order(
    'Without a session an invalid and too large body is not checked',
    withBytes(create(undefined), tooLarge),
    failure('AUTH_REQUIRED'),
  ),
  order(
    'Without a session the media type is not checked',
    withBytes(create(undefined), utf8('hello'), 'text/plain'),
    failure('AUTH_REQUIRED'),
  ),
  order(
    'Without a session a blank id and an empty body are not checked',
    update(undefined, blank),
    failure('AUTH_REQUIRED'),
  ),
  order('An expired session comes before the body', update('expired', blank, []), failure('AUTH_REQUIRED')),
  order(
    'A missing organisation comes before the team and the body',
    withBytes(create('no-organization'), invalid),
    failure('ONBOARDING_REQUIRED'),
  ),
  order(
    'A missing organisation comes before a blank id',
    update('no-organization', blank, {}),
    failure('ONBOARDING_REQUIRED'),
  ),
  order(
    'A missing team comes before a body that is too large',
    withBytes(create('no-team'), tooLarge),
    failure('TEAM_MEMBERSHIP_REQUIRED'),
  ),
  order(
    'A missing team comes before a blank id',
    update('no-team', blank, { id: 'mine' }),
    failure('TEAM_MEMBERSHIP_REQUIRED'),
  ),
  order(
    'A missing permission comes before a blank id and an invalid body',
    withBytes(update('acme-viewer', blank), invalid),
    failure('INSUFFICIENT_PERMISSIONS'),
  ),
  order(
    'A missing permission comes before an unknown id',
    update('acme-viewer', 'unknown', {}),
    failure('INSUFFICIENT_PERMISSIONS'),
  ),
  order(
    'A missing permission comes before a taken name',
    create('acme-viewer', { name: 'Mobile app' }),
    failure('INSUFFICIENT_PERMISSIONS'),
  ),
  order(
    'A blank id comes before an invalid body',
    withBytes(update('acme-owner', blank), invalid),
    failure('EMPTY_QUERY_FILTER'),
  ),
  order(
    'A blank id comes before a body that is too large',
    withBytes(update('acme-owner', blank), tooLarge),
    failure('EMPTY_QUERY_FILTER'),
  ),
  order(
    'A blank id comes before the media type',
    withBytes(update('acme-owner', blank), utf8('hello'), 'text/plain'),
    failure('EMPTY_QUERY_FILTER'),
  ),
  order(
    'An invalid body comes before an unknown id',
    update('acme-owner', 'unknown', { status: '' }),
    validationFailure(detailsFor(['status'])),
  ),
  order(
    'The media type comes before the size',
    withBytes(create('acme-owner'), tooLarge, 'text/plain'),
    failure('VALIDATION_FAILED', 415),
  ),
  order(
    'The size comes before the JSON',
    withBytes(create('acme-owner'), tooLarge),
    failure('VALIDATION_FAILED', 413),
  ),
  order(
    'An unknown id comes before a taken name',
    update('acme-owner', 'unknown', { name: 'Mobile app' }),
    failure('PROJECT_NOT_FOUND'),
  ),
  order(
    "Another team's id comes before a taken name",
    update('acme-owner', foreign, { name: 'Website relaunch' }),
    failure('PROJECT_NOT_FOUND'),
  ),
  order(
    'An invalid body comes before a taken name',
    update('acme-owner', own, { name: 'Website relaunch', status: 1 }),
    validationFailure(detailsFor(['status'])),
  ),
  order(
    'An invalid body comes before a taken name in a creation',
    create('acme-owner', { name: 'Mobile app', status: 'active' }),
    validationFailure(detailsFor([], true)),
  ),
]
