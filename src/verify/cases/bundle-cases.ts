import * as z from 'zod'
import { SessionBundle } from '../../contract/schemas.js'
import { canonicalJson } from './canonical-json.js'
import type { Case, CaseContext, Persona, ReceivedResponse } from './case.js'
import { created, failure, updated } from './expectations.js'
import { bundle, create, own, step, update } from './requests.js'
import { callerNames } from './test-data.js'

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
      organization: z.object({ orgCode: z.string() }),
      permissions: z.array(z.string()),
      teamId: z.string(),
    })
    .parse(response?.json)

/** A bundle of the team of an earlier one. */
const ofTeam = (response: ReceivedResponse | undefined) => {
  const { organization, teamId } = bundleIn(response)
  return z.looseObject({
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

const permissionsWhere = (holds: (needed: string[]) => boolean, expected: string) =>
  z
    .looseObject({ permissions: z.array(z.string()) })
    .refine(({ permissions }) => holds(changePermissions.filter((name) => permissions.includes(name))), {
      error: expected,
    })

export const bundleCases: Case[] = [
  ...(
    ['acme-owner', 'acme-member', 'acme-viewer', 'globex-owner', 'no-organization', 'no-team'] as const
  ).flatMap(casesOf),
  {
    title: 'The bundle has the fields of section 2.2 and no others',
    requirement: '2.2 the session bundle',
    steps: (['acme-owner', 'globex-owner', 'no-team'] as const).map((as) =>
      step(bundle(as), { status: 200, body: SessionBundle }),
    ),
  },
  ...(['acme-owner', 'acme-member', 'globex-owner'] as const).map(
    (as): Case => ({
      title: `The bundle of ${callerNames[as]} has the permissions to create and to update projects`,
      requirement: 'callers: no permission',
      steps: [
        step(bundle(as), {
          status: 200,
          body: permissionsWhere(({ length }) => length === 2, `expected ${changePermissions.join(' and ')}`),
        }),
      ],
    }),
  ),
  {
    title: `The bundle of ${callerNames['acme-viewer']} has neither permission`,
    requirement: 'callers: no permission',
    steps: [
      step(bundle('acme-viewer'), {
        status: 200,
        body: permissionsWhere(
          ({ length }) => length === 0,
          `expected neither ${changePermissions.join(' nor ')}`,
        ),
      }),
    ],
  },
  ...(['acme-owner', 'acme-member', 'acme-viewer', 'globex-owner'] as const).map((as): Case => {
    const ifAllowed = (response: ReceivedResponse | undefined, permission: string) =>
      bundleIn(response).permissions.includes(permission)
    const id = as === 'globex-owner' ? '{foreign}' : own
    return {
      title: `Creations and updates of ${callerNames[as]} do what the permissions in the bundle say`,
      requirement: 'callers: no permission',
      steps: [
        step(bundle(as), { status: 200 }),
        step(create(as, { name: 'Fresh' }), ({ responses: [session] }) =>
          ifAllowed(session, 'create:projects') ? created() : failure('INSUFFICIENT_PERMISSIONS'),
        ),
        step(update(as, id, { status: 'active' }), ({ responses: [session] }) =>
          ifAllowed(session, 'update:projects') ? updated() : failure('INSUFFICIENT_PERMISSIONS'),
        ),
      ],
    }
  }),
  {
    title: 'The callers of one team have its id and organisation code, and the other team has others',
    requirement: '5 the session cookie',
    steps: [
      step(bundle('acme-owner'), { status: 200, body: withTeam }),
      ...(['acme-member', 'acme-viewer'] as const).map((as) =>
        step(bundle(as), ({ responses: [owner] }) => ({
          status: 200,
          body: ofTeam(owner),
        })),
      ),
      step(bundle('globex-owner'), ({ responses: [owner] }) => ({
        status: 200,
        body: withTeam.refine(
          ({ organization: { orgCode }, teamId }) =>
            teamId !== bundleIn(owner).teamId && orgCode !== bundleIn(owner).organization.orgCode,
          { error: 'expected another team' },
        ),
      })),
    ],
  },
  {
    title: 'Without an organisation or a team the bundle has empty strings and an empty list',
    requirement: '4.4 the session bundle',
    steps: [
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
    ],
  },
]
