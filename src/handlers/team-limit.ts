import type { ExceededLimit, TeamLimits } from '../contract/limits.js'
import { type Failure, fail } from './handler.js'

/** A write with which the team would exceed a limit. */
export const exceedsTeam = (limit: ExceededLimit, limits: TeamLimits): Failure<'VALIDATION_FAILED'> =>
  fail('VALIDATION_FAILED', { details: { formErrors: [messages[limit](limits[limit])], fieldErrors: {} } })

const messages: Record<ExceededLimit, (limit: number) => string> = {
  projects: (limit) => `A team can have at most ${limit} projects.`,
  bytes: (limit) => `The projects of a team can have at most ${limit} bytes of text.`,
}
