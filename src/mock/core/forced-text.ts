import type { OwnResponse } from './own-response.js'
import type { Scenario } from './scenarios.js'

/** What a scenario gives in place of an operation's own reply, if it does: the outcome, or e.g. `response 200`. */
export const forcedText = ({ outcome, response }: Scenario): string | undefined =>
  response ? responseText(response) : outcome

const responseText = ({ status, unchecked }: OwnResponse): string =>
  `${unchecked ? 'unchecked ' : ''}response ${status}`
