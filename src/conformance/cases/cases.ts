import { bodyCases } from './body-cases.js'
import { bundleCases, callerCases } from './caller-cases.js'
import type { Case } from './case.js'
import { concurrencyCases } from './concurrency-cases.js'
import { cookieCases } from './cookie-cases.js'
import { ignoredCases } from './ignored-cases.js'
import { nameCases } from './name-cases.js'
import { orderCases } from './order-cases.js'
import { originCases } from './origin-cases.js'
import { pathCases } from './path-cases.js'
import { projectCases } from './project-cases.js'
import { signInCases } from './sign-in-cases.js'
import { textCases } from './text-cases.js'
import { updateCases } from './update-cases.js'
import { waitlistCases } from './waitlist-cases.js'

/** Cases about one subject. The name is shown as a run goes on. */
export type Group = { name: string; cases: readonly Case[] }

/** All cases: what a user of the service relies on, over HTTP. */
export const groups: readonly Group[] = [
  { name: 'callers', cases: callerCases },
  { name: 'cookies', cases: cookieCases },
  { name: 'session bundle', cases: bundleCases },
  { name: 'order of checks', cases: orderCases },
  { name: 'bodies', cases: bodyCases },
  { name: 'updates', cases: updateCases },
  { name: 'concurrency', cases: concurrencyCases },
  { name: 'waitlist', cases: waitlistCases },
  { name: 'sign-in', cases: signInCases },
  { name: 'paths and methods', cases: pathCases },
  { name: 'pages of other sites', cases: originCases },
  { name: 'what is ignored', cases: ignoredCases },
  // They create many projects, which stay in every list.
  { name: 'names', cases: nameCases },
  { name: 'texts', cases: textCases },
  { name: 'projects', cases: projectCases },
]

export const cases: readonly Case[] = groups.flatMap((group) => group.cases)
