import * as z from 'zod'
import { SessionBundle } from '../../contract/schemas.js'
import type { Case, CaseContext, Persona } from './case.js'
import { bundle, step } from './requests.js'

// The session bundle (2.2, 4.4).

/** The mock's bundle has two more keys than production's. */
const casesOf = (as: Persona): Case[] => [
  {
    title: `The mock's bundle of ${as} has the persona's data, devMode and role`,
    requirement: '5.4 the mock branch is marked',
    mode: 'mock',
    steps: [
      step(bundle(as), {
        status: 200,
        body: ({ data }: CaseContext) => ({ ...data.bundle(as), devMode: true, role: data.role(as) }),
      }),
    ],
  },
  {
    title: `The production bundle of ${as} has the same data without devMode and role`,
    requirement: 'modes: only the mock sets devMode and role',
    mode: 'production',
    steps: [step(bundle(as), { status: 200, body: ({ data }: CaseContext) => data.bundle(as) })],
  },
]

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
