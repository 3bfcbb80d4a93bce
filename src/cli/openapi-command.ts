import { type Command, Option } from 'commander'
import { addCommand } from './define-command.js'

export const define = (openapi: Command) =>
  addCommand(openapi, '', {
    about: 'Print the interface as an OpenAPI 3.1 document.',
    options: [new Option('--format <format>', 'the output format').choices(['json', 'yaml']).default('json')],
    examples: ['> openapi.json', '--format yaml'],
    run: async ({ format }) => ({
      document: (await import('./describe-interface.js')).describeInterface(format),
    }),
  })
