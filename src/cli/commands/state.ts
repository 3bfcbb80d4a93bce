import type { Command } from 'commander'
import { printLine, printMessage, show } from '../output/output.js'
import { examples, mockOptions, spaceOption, urlOption } from './options.js'

export const state = (program: Command) => {
  const group = program
    .command('state')
    .description('Take everything that a running mock holds as a state file, or replace it by one.')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api state export --output state.json',
        'npx dashboard-api state load state.json',
      ),
    )

  group
    .command('export')
    .description('Print the state as a state file, which is a fixture too.')
    .addOption(urlOption())
    .addOption(spaceOption())
    .option('--output <file>', 'write it there, whole or not at all')
    .addHelpText(
      'after',
      examples('npx dashboard-api state export', 'npx dashboard-api state export --output state.json'),
    )
    .action(async ({ output, ...at }) => {
      const { mockAt } = await import('../actions/mock.js')
      const text = JSON.stringify(await mockAt(at)('exportState'), null, 2)
      if (output === undefined) return printLine(text)
      const { writeWhole } = await import('../actions/write-whole.js')
      await writeWhole(output, [`${text}\n`])
      printMessage(`Wrote ${output}.`)
    })

  mockOptions(
    group
      .command('load')
      .description('Replace everything that the mock holds by a state file; a wrong one changes nothing.')
      .argument('<file>', 'the state file'),
  )
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api state export --output state.json',
        'npx dashboard-api state load state.json',
      ),
    )
    .action(async (file, { json, ...at }) => {
      const [{ mockAt }, { readStateFile }] = await Promise.all([
        import('../actions/mock.js'),
        import('../actions/read-state-file.js'),
      ])
      const data = await mockAt(at)('loadState', await readStateFile(file))
      await show({ data, lines: [] }, json)
      printMessage(`The state is that of ${file}.`)
    })
}
