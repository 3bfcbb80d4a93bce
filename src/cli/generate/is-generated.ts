import type { User } from '../../contract/schemas.js'
import type { Team } from '../../store/state-file.js'

/** Whether a team was generated, by any seed. */
export const isGeneratedTeam = ({ orgCode }: Pick<Team, 'orgCode'>): boolean => /^org_s\d+_\d+$/.test(orgCode)

/** Whether a user was generated, by any seed: no real user has an address in `.example` (RFC 2606). */
export const isGeneratedUser = ({ email }: Pick<User, 'email'>): boolean =>
  /\.\d+@team\d+\.s\d+\.example$/.test(email)

/** Whether a generated user belongs to a team: the address names the seed and the number of the team. */
export const isOfGeneratedTeam = ({ email }: Pick<User, 'email'>, { orgCode }: Team): boolean =>
  email.endsWith(orgCode.replace(/^org_s(\d+)_(\d+)$/, '@team$2.s$1.example'))
