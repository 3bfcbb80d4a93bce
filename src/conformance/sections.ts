import type { Case } from './case.js'
import { resourceCases } from './cases/2-resources.js'
import { createCases } from './cases/4-1-create-a-project.js'
import { listCases } from './cases/4-2-list-projects.js'
import { updateCases } from './cases/4-3-update-a-project.js'
import { bundleCases } from './cases/4-4-session-bundle.js'
import { waitlistCases } from './cases/4-5-join-the-waitlist.js'
import { bodyCases } from './cases/4-bodies.js'
import { callerCases } from './cases/5-callers.js'
import { cookieCases } from './cases/5-cookies.js'
import { otherSiteCases } from './cases/5-other-sites.js'
import { otherTeamCases } from './cases/5-other-teams.js'
import { signInCases } from './cases/5-sign-in.js'
import { errorCases } from './cases/7-errors.js'
import { nameCases } from './cases/8-names.js'
import { takenNameCases } from './cases/8-taken-names.js'
import { additionCases } from './cases/9-additions.js'
import { pathCases } from './cases/9-paths.js'

/** The cases about a section of the interface. The name is shown as a run goes on. */
export type Section = { name: string; cases: readonly Case[] }

/** The suite: the promises of the service to its users, over HTTP. */
export const sections: readonly Section[] = [
  { name: 'resources (2)', cases: resourceCases },
  { name: 'bodies (4)', cases: bodyCases },
  { name: 'create a project (4.1)', cases: createCases },
  { name: 'list projects (4.2)', cases: listCases },
  { name: 'update a project (4.3)', cases: updateCases },
  { name: 'session bundle (4.4)', cases: bundleCases },
  { name: 'waitlist (4.5)', cases: waitlistCases },
  { name: 'callers (5)', cases: callerCases },
  { name: 'cookies (5)', cases: cookieCases },
  { name: 'other sites (5)', cases: otherSiteCases },
  { name: 'other teams (5)', cases: otherTeamCases },
  { name: 'sign-in (5)', cases: signInCases },
  { name: 'errors (7)', cases: errorCases },
  { name: 'names (8)', cases: nameCases },
  { name: 'taken names (8)', cases: takenNameCases },
  { name: 'paths (9)', cases: pathCases },
  { name: 'query and headers (9)', cases: additionCases },
]

export const cases: readonly Case[] = sections.flatMap((section) => section.cases)

/** Whether a case checks the interface itself, and not a decision where the interface is silent. */
export const isFromInterface = ({ requirement }: Pick<Case, 'requirement'>): boolean =>
  /^\d/.test(requirement)
