import { type Command, Option } from 'commander'
import { writeData } from '../output/output.js'
import { examples } from './options.js'

export const openapi = (program: Command) =>
  program
    .command('openapi')
    .description('Print the interface as an OpenAPI 3.1 document.')
    .addOption(new Option('--format <format>', 'how it is written').choices(['json', 'yaml']).default('json'))
    .addHelpText(
      'after',
      examples('npx dashboard-api openapi > openapi.json', 'npx dashboard-api openapi --format yaml'),
    )
    .action(async ({ format }) => {
      const { describeInterface } = await import('../actions/openapi.js')
      writeData(describeInterface(format))
    })
