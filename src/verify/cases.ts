import type { Case } from './case.js'
import { bodyCases } from './cases-bodies.js'
import { bundleCases } from './cases-bundle.js'
import { callerCases } from './cases-callers.js'
import { fieldCases } from './cases-fields.js'
import { nameCases } from './cases-names.js'
import { orderCases } from './cases-order.js'
import { pathCases } from './cases-paths.js'
import { projectCases } from './cases-projects.js'
import { signInCases } from './cases-sign-in.js'
import { updateCases } from './cases-update.js'
import { waitlistCases } from './cases-waitlist.js'

/** The whole table: what a user of the service relies on, over HTTP. */
export const cases: Case[] = [
  ...callerCases,
  ...bundleCases,
  ...orderCases,
  ...bodyCases,
  ...fieldCases,
  ...nameCases,
  ...projectCases,
  ...updateCases,
  ...waitlistCases,
  ...signInCases,
  ...pathCases,
]
