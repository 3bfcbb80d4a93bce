import { type Command, Option } from 'commander'
import { examples } from './options.js'
import { writeData } from './output/output.js'

export const define = (openapi: Command) =>
  openapi
    .description('Print the interface as an OpenAPI 3.1 document.')
    .addOption(new Option('--format <format>', 'the output format').choices(['json', 'yaml']).default('json'))
    .addHelpText(
      'after',
      examples('npx dashboard-api openapi > openapi.json', 'npx dashboard-api openapi --format yaml'),
    )
    .action(async ({ format }) => {
      const { describeInterface } = await import('./describe-interface.js')
      writeData(describeInterface(format))
    })
