import type { Case, CaseContext } from './case.js'
import { bundle } from './requests.js'
import { table } from './steps.js'

// The session bundle (2.2, 4.4).

const differsFrom = (other: string) => (value: string) => value !== '' && value !== other
const ownerIn = ({ data }: CaseContext) => data.bundle('acme-owner')

/** The mock's bundle has two more keys than production's: that is checked of every bundle. */
export const bundleCases: Case[] = [
  ...table(
    { requirement: '5.4 the mock branch is marked', mode: 'mock' },
    { "The mock's bundle has devMode and role": bundle('acme-owner') },
  ),
  ...table(
    { requirement: 'modes: only the mock sets devMode and role', mode: 'production' },
    { "Production's bundle has neither devMode nor role": bundle('acme-owner') },
  ),
  ...table('4.4 the session bundle', {
    'The callers of one team have its id and organisation code, and the other team has others': [
      bundle('acme-owner', { has: { organization: { orgCode: differsFrom('') }, teamId: differsFrom('') } }),
      ...(['acme-member', 'acme-viewer', 'acme-creator', 'acme-updater', 'acme-near-miss'] as const).map(
        (as) =>
          bundle(as, (context) => {
            const { user, organization, teamId } = ownerIn(context)
            return { has: { user: { id: differsFrom(user.id) }, organization, teamId } }
          }),
      ),
      bundle('globex-owner', (context) => {
        const { organization, teamId } = ownerIn(context)
        const orgCode = differsFrom(organization.orgCode)
        return { has: { organization: { orgCode }, teamId: differsFrom(teamId) } }
      }),
    ],
  }),
]
