import type * as z from 'zod'
import * as calls from './call-entries.js'
import type { ControlName } from './control-endpoints.js'
import { fieldWords } from './control-fields.js'
import * as data from './data-entries.js'
import * as forcing from './forcing-entries.js'
import * as log from './log-entries.js'
import * as personas from './persona-entries.js'
import * as spaces from './space-entries.js'
import * as state from './state-entries.js'
import * as steps from './step-entries.js'
import * as timing from './timing-entries.js'

/**
 * The description of each control with the schema of its JSON body, or of the query of a GET request. HTTP, the tools of
 * agents and the commands use them; a page loads no schemas.
 */
export const controlTable = {
  ...personas.describe(fieldWords),
  ...data.describe(fieldWords),
  ...forcing.describe(fieldWords),
  ...timing.describe(fieldWords),
  ...state.describe(fieldWords),
  ...steps.describe(fieldWords),
  ...log.describe(fieldWords),
  ...calls.describe(fieldWords),
  ...spaces.describe(fieldWords),
} satisfies Record<ControlName, { input: z.ZodType }>

export type ControlInput<Name extends ControlName> = z.input<(typeof controlTable)[Name]['input']>
