import type { HistoryStep } from '../../mock/core/controls.js'
import { printMessage, show } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { printable } from '../output/printable.js'

/** Prints a step through the history of a mock. @param verb what was done */
export async function showStep(verb: string, step: HistoryStep, json?: boolean): Promise<void> {
  await show({ data: step, lines: [] }, json)
  printMessage(printable(describeStep(verb, step)))
  if (step.warning) printMessage(printable(step.warning))
}

export const describeStep = (verb: string, { title, entry, changed }: HistoryStep): string =>
  `${verb}: ${title}${entry === undefined ? '' : `, request ${entry}`} (${pluralize(changed, 'record')}).`
