import type { Command } from 'commander'
import type { PossibleScenarios } from '../../../mock/core/controls.js'
import { showTable } from '../../output/output.js'
import { examples, mockOptions } from '../options.js'
import { showForced } from './show-forced.js'

export const list = (scenario: Command) =>
  mockOptions(
    scenario
      .command('list')
      .description('Show what is forced at the moment, or all that can be.')
      .option('--possible', 'show what each operation can be made to answer, and the named scenarios'),
  )
    .addHelpText(
      'after',
      examples('npx dashboard-api scenario list', 'npx dashboard-api scenario list --possible'),
    )
    .action(async ({ possible, json, ...at }) => {
      const { mockAt } = await import('../../actions/mock.js')
      if (possible) await showPossible(await mockAt(at)('possibleScenarios'), json)
      else await showForced(await mockAt(at)('scenarios'), json)
    })

async function showPossible(data: PossibleScenarios, json?: boolean): Promise<void> {
  const rows = [
    ...Object.entries(data.operations).flatMap(([name, outcomes]) =>
      outcomes.map((outcome) => [name, outcome]),
    ),
    ...Object.entries(data.named).map(([name, does]) => [name, '', does]),
  ]
  const columns = ['Operation', 'Outcome', 'Note'].map((title, i) => ({
    title,
    value: (row: string[]) => row[i],
    yields: title === 'Note',
  }))
  await showTable({ data, columns, rows, nothing: 'Nothing can be forced.' }, json)
}
