import type { Case, CaseContext, Mode } from './case.js'
import { bundles, each, table } from './steps.js'
import { callerNames, personas } from './test-data.js'

// The session bundle (2.2, 4.4).

const callers = personas.filter((as) => as !== 'expired')
const otherMembers = callers.filter((as) => as.startsWith('acme-') && as !== 'acme-owner')

/** The mock's bundle has two more keys than production's: that is checked of every bundle. */
const ofCallers = (mode: Mode, requirement: string, marks: string) =>
  each(
    callers,
    { requirement, mode },
    (as) => `The ${mode}'s bundle of ${callerNames[as]} has the persona's data, ${marks} devMode and role`,
    (as) => bundles(as),
  )

const differsFrom = (other: string) => (value: string) => value !== '' && value !== other
const ownerIn = ({ data }: CaseContext) => data.bundle('acme-owner')

export const bundleCases: Case[] = [
  ...ofCallers('mock', '5.4 the mock branch is marked', 'with'),
  ...ofCallers('production', 'modes: only the mock sets devMode and role', 'without'),
  ...table('4.4 the session bundle', {
    'The callers of one team have its id and organisation code, and the other team has others': [
      bundles('acme-owner', {
        has: {
          user: { id: differsFrom('') },
          organization: { orgCode: differsFrom('') },
          teamId: differsFrom(''),
        },
      }),
      ...otherMembers.map((as) =>
        bundles(as, (context) => {
          const { user, organization, teamId } = ownerIn(context)
          return { has: { user: { id: differsFrom(user.id) }, organization, teamId } }
        }),
      ),
      bundles('globex-owner', (context) => {
        const { organization, teamId } = ownerIn(context)
        const orgCode = differsFrom(organization.orgCode)
        return {
          has: { user: { id: differsFrom('') }, organization: { orgCode }, teamId: differsFrom(teamId) },
        }
      }),
    ],
  }),
]
