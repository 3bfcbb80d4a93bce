import { type Command, Option } from 'commander'
import { addCommand } from './define-command.js'
import { writeData } from './output/output.js'

export const define = (openapi: Command) =>
  addCommand(openapi, '', {
    about: 'Print the interface as an OpenAPI 3.1 document.',
    options: [new Option('--format <format>', 'the output format').choices(['json', 'yaml']).default('json')],
    examples: ['> openapi.json', '--format yaml'],
    async run({ format }) {
      const { describeInterface } = await import('./describe-interface.js')
      writeData(describeInterface(format))
      return undefined
    },
  })
