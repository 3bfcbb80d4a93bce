import * as z from 'zod'
import { SessionBundle } from '../../contract/schemas.js'
import { canonicalJson } from './canonical-json.js'
import type { Case, CaseContext, Persona, ReceivedResponse } from './case.js'
import { created, failure, updated } from './expectations.js'
import { bundle, create, foreign, given, own, step, update } from './requests.js'
import { callerNames, personas } from './test-data.js'

// The session bundle (2.2, 4.4).

/** The mock's bundle has two more keys than production's, both or none; a deployment's roles are not known. */
const casesOf = (as: Persona): Case[] => [
  {
    title: `The mock's bundle of ${callerNames[as]} has the persona's data, devMode and role`,
    requirement: '5.4 the mock branch is marked',
    mode: 'mock',
    steps: [
      step(bundle(as), {
        status: 200,
        body: ({ data }: CaseContext) => {
          const role = data.role(as)
          return SessionBundle.safeExtend({
            devMode: z.literal(true),
            role: role === undefined ? z.string().min(1) : z.literal(role),
          }).refine(
            ({ devMode: _, role: __, ...rest }) => canonicalJson(rest) === canonicalJson(data.bundle(as)),
            {
              error: `expected ${JSON.stringify(data.bundle(as))}`,
            },
          )
        },
      }),
    ],
  },
  {
    title: `The production bundle of ${callerNames[as]} has the same data without devMode and role`,
    requirement: 'modes: only the mock sets devMode and role',
    mode: 'production',
    steps: [step(bundle(as), { status: 200, body: ({ data }: CaseContext) => data.bundle(as) })],
  },
]

/** The parts of an earlier bundle that a case compares. */
const bundleIn = (response: ReceivedResponse | undefined) =>
  z
    .object({
      user: z.object({ id: z.string() }),
      organization: z.object({ orgCode: z.string() }),
      permissions: z.array(z.string()),
      teamId: z.string(),
    })
    .parse(response?.json)

/** A bundle of the team of an earlier one. */
const ofTeam = (response: ReceivedResponse | undefined) => {
  const { user, organization, teamId } = bundleIn(response)
  return z.looseObject({
    user: z.looseObject({
      id: z.string().refine((id) => id !== user.id, { error: 'expected another user' }),
    }),
    organization: z.object({ orgCode: z.literal(organization.orgCode) }),
    teamId: z.literal(teamId),
  })
}

/** A user has an id, and a team an organisation code and an id. */
const withTeam = z.looseObject({
  user: z.looseObject({ id: z.string().min(1) }),
  organization: z.object({ orgCode: z.string().min(1) }),
  teamId: z.string().min(1),
})

const changePermissions = ['create:projects', 'update:projects']

const isAllowed = (response: ReceivedResponse | undefined, permission: string) =>
  bundleIn(response).permissions.includes(permission)

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

export const bundleCases: Case[] = [
  ...personas.filter((as) => as !== 'expired').flatMap(casesOf),
  given(
    'The bundle has the fields of section 2.2 and no others',
    '2.2 the session bundle',
    ...(['acme-owner', 'globex-owner', 'no-team'] as const).map((as) =>
      step(bundle(as), { status: 200, body: SessionBundle }),
    ),
  ),
  ...expectedPermissions.flatMap(([as, expected]): Case[] => [
    given(
      `Of the permissions for changes the bundle of ${callerNames[as]} has ${expected.join(' and ') || 'none'}`,
      'callers: no permission',
      step(bundle(as), {
        status: 200,
        body: z
          .looseObject({ permissions: z.array(z.string()) })
          .refine(
            ({ permissions }) =>
              String(changePermissions.filter((name) => permissions.includes(name))) === String(expected),
            { error: `expected ${expected.join(' and ') || 'neither permission'}` },
          ),
      }),
    ),
    given(
      `Creations and updates of ${callerNames[as]} do what the permissions in the bundle say`,
      'callers: no permission',
      step(bundle(as), { status: 200 }),
      step(create(as, { name: 'Fresh' }), ({ responses: [session] }) =>
        isAllowed(session, 'create:projects') ? created({}, as) : failure('INSUFFICIENT_PERMISSIONS'),
      ),
      step(
        update(as, as === 'globex-owner' ? foreign : own, { status: 'active' }),
        ({ responses: [session] }) =>
          isAllowed(session, 'update:projects') ? updated() : failure('INSUFFICIENT_PERMISSIONS'),
      ),
    ),
  ]),
  given(
    'The callers of one team have its id and organisation code, and the other team has others',
    '5 the session cookie',
    step(bundle('acme-owner'), { status: 200, body: withTeam }),
    ...(['acme-member', 'acme-viewer', 'acme-creator', 'acme-updater', 'acme-near-miss'] as const).map((as) =>
      step(bundle(as), ({ responses: [owner] }) => ({ status: 200, body: ofTeam(owner) })),
    ),
    step(bundle('globex-owner'), ({ responses: [owner] }) => ({
      status: 200,
      body: withTeam.refine(
        ({ organization: { orgCode }, teamId }) =>
          teamId !== bundleIn(owner).teamId && orgCode !== bundleIn(owner).organization.orgCode,
        { error: 'expected another team' },
      ),
    })),
  ),
  given(
    'Without an organisation or a team the bundle has empty strings and an empty list',
    '4.4 the session bundle',
    step(bundle('no-organization'), {
      status: 200,
      body: z.looseObject({
        organization: z.strictObject({ orgCode: z.literal('') }),
        teamId: z.literal(''),
        projects: z.array(z.never()),
      }),
    }),
    step(bundle('no-team'), {
      status: 200,
      body: z.looseObject({
        organization: z.strictObject({ orgCode: z.string().min(1) }),
        teamId: z.literal(''),
        projects: z.array(z.never()),
      }),
    }),
  ),
]
