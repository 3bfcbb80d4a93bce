import type { Case, Mode } from './case.js'
import { bundled, bundles, each, table } from './case-table.js'
import { bundleIn } from './expectations.js'
import { callerNames, personas } from './test-data.js'

// The session bundle (2.2, 4.4).

const callers = personas.filter((as) => as !== 'expired')
const otherMembers = callers.filter((as) => as.startsWith('acme-') && as !== 'acme-owner')

/** The mock's bundle has two more keys than production's: that is checked of every bundle. */
const ofCallers = (mode: Mode, requirement: string, marks: string) =>
  each(
    callers,
    requirement,
    (as) => `The ${mode}'s bundle of ${callerNames[as]} has the persona's data, ${marks} devMode and role`,
    bundles,
    { mode },
  )

export const bundleCases: Case[] = [
  ...ofCallers('mock', '5.4 the mock branch is marked', 'with'),
  ...ofCallers('production', 'modes: only the mock sets devMode and role', 'without'),
  ...table('4.4 the session bundle', {
    'The callers of one team have its id and organisation code, and the other team has others': [
      bundled(
        'acme-owner',
        'expected a user, an organisation and a team',
        ({ user, organization, teamId }) => ![user.id, organization.orgCode, teamId].includes(''),
      ),
      ...otherMembers.map((as) =>
        bundled(as, 'expected another user of the team', (member, { responses: [first] }) => {
          const owner = bundleIn(first)
          return (
            member.user.id !== owner.user.id &&
            member.organization.orgCode === owner.organization.orgCode &&
            member.teamId === owner.teamId
          )
        }),
      ),
      bundled('globex-owner', 'expected another team', (other, { responses: [first] }) => {
        const owner = bundleIn(first)
        return (
          ![other.user.id, other.organization.orgCode, other.teamId].includes('') &&
          other.teamId !== owner.teamId &&
          other.organization.orgCode !== owner.organization.orgCode
        )
      }),
    ],
  }),
]
