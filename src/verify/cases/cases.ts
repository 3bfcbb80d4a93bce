import { bodyCases } from './body-cases.js'
import { bundleCases } from './bundle-cases.js'
import { callerCases } from './caller-cases.js'
import type { Case } from './case.js'
import { fieldCases } from './field-cases.js'
import { nameCases } from './name-cases.js'
import { orderCases } from './order-cases.js'
import { pathCases } from './path-cases.js'
import { projectCases } from './project-cases.js'
import { signInCases } from './sign-in-cases.js'
import { updateCases } from './update-cases.js'
import { waitlistCases } from './waitlist-cases.js'

/** All cases: what a user of the service relies on, over HTTP. */
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
