import type { Case, Expected, Request } from './case.js'
import { faultsIn, invalid, refused } from './expectations.js'
import { bodyLimit, create, foreign, mine, step, update, utf8, withBytes } from './requests.js'

// Session, organisation, team, permission, path, body, existence, name: the first fault is answered.

const blank = '%20'
const tooLarge = utf8(`{"name": "${'x'.repeat(bodyLimit)}`)
const broken = utf8('{"name": ')

const order = (title: string, request: Request, expect: Expected): Case => ({
  title,
  requirement: 'callers: order of the checks',
  steps: [step(request, expect)],
})

export const orderCases: Case[] = [
  order(
    'Without a session a body that is broken and too large is not looked at',
    withBytes(create(undefined), tooLarge),
    refused('AUTH_REQUIRED'),
  ),
  order(
    'Without a session the media type is not looked at',
    withBytes(create(undefined), utf8('hello'), 'text/plain'),
    refused('AUTH_REQUIRED'),
  ),
  order(
    'Without a session a blank id and an empty body are not looked at',
    update(undefined, blank),
    refused('AUTH_REQUIRED'),
  ),
  order('An expired session comes before the body', update('expired', blank, []), refused('AUTH_REQUIRED')),
  order(
    'A missing organisation comes before the team and the body',
    withBytes(create('no-organization'), broken),
    refused('ONBOARDING_REQUIRED'),
  ),
  order(
    'A missing organisation comes before a blank id',
    update('no-organization', blank, {}),
    refused('ONBOARDING_REQUIRED'),
  ),
  order(
    'A missing team comes before a body that is too large',
    withBytes(create('no-team'), tooLarge),
    refused('TEAM_MEMBERSHIP_REQUIRED'),
  ),
  order(
    'A missing team comes before a blank id',
    update('no-team', blank, { id: 'mine' }),
    refused('TEAM_MEMBERSHIP_REQUIRED'),
  ),
  order(
    'A missing permission comes before a blank id and a broken body',
    withBytes(update('acme-viewer', blank), broken),
    refused('INSUFFICIENT_PERMISSIONS'),
  ),
  order(
    'A missing permission comes before an unknown id',
    update('acme-viewer', 'unknown', {}),
    refused('INSUFFICIENT_PERMISSIONS'),
  ),
  order(
    'A missing permission comes before a taken name',
    create('acme-viewer', { name: 'Mobile app' }),
    refused('INSUFFICIENT_PERMISSIONS'),
  ),
  order(
    'A blank id comes before a broken body',
    withBytes(update('acme-owner', blank), broken),
    refused('EMPTY_QUERY_FILTER'),
  ),
  order(
    'A blank id comes before a body that is too large',
    withBytes(update('acme-owner', blank), tooLarge),
    refused('EMPTY_QUERY_FILTER'),
  ),
  order(
    'A blank id comes before the media type',
    withBytes(update('acme-owner', blank), utf8('hello'), 'text/plain'),
    refused('EMPTY_QUERY_FILTER'),
  ),
  order(
    'A bad body comes before an unknown id',
    update('acme-owner', 'unknown', { status: '' }),
    invalid(faultsIn(['status'])),
  ),
  order(
    'The media type comes before the size',
    withBytes(create('acme-owner'), tooLarge, 'text/plain'),
    refused('VALIDATION_FAILED', 415),
  ),
  order(
    'The size comes before the JSON',
    withBytes(create('acme-owner'), tooLarge),
    refused('VALIDATION_FAILED', 413),
  ),
  order(
    'An unknown id comes before a taken name',
    update('acme-owner', 'unknown', { name: 'Mobile app' }),
    refused('PROJECT_NOT_FOUND'),
  ),
  order(
    "Another team's id comes before a taken name",
    update('acme-owner', foreign, { name: 'Website relaunch' }),
    refused('PROJECT_NOT_FOUND'),
  ),
  order(
    'A bad body comes before a taken name',
    update('acme-owner', mine, { name: 'Website relaunch', status: 1 }),
    invalid(faultsIn(['status'])),
  ),
  order(
    'A bad body comes before a taken name in a creation too',
    create('acme-owner', { name: 'Mobile app', status: 'active' }),
    invalid(faultsIn([], true)),
  ),
]
