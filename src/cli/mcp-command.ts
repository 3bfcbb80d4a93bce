import type { Command } from 'commander'
import { addCommand } from './define-command.js'
import { mockUrl, spaceOption, urlOf, urlOption } from './options.js'
import { UserError } from './user-error.js'

export const define = (mcp: Command) =>
  addCommand(mcp, '[options...]', {
    about: 'Serve the controls of a running mock to a coding agent, as an MCP server over stdio.',
    args: ['with --start, options of "dev", after --'],
    options: [
      urlOption(),
      spaceOption(),
      ['--page', 'control the mock in a page, through the Vite plugin at the address'],
      ['--start', 'start a mock of this project when it is needed, and end it with this server'],
    ],
    notes: '\nIt speaks to a mock only. A production server has no controls, and is refused.',
    examples: ['', '--start', '--start -- --fixtures fixtures/demo.json --handlers mocks/handlers.ts'],
    async run({ options: devOptions, page, start, space, ...given }) {
      if (!start && devOptions.length > 0) throw new UserError('Options of "dev" need --start before them.')
      if (start && page)
        throw new UserError('--start starts a server, and --page means the mock in a page: give one.')
      const { serveMcp } = await import('./mcp/serve-mcp.js')
      const { url = process.env[mockUrl.env] || undefined } = given
      return serveMcp({ url: { address: urlOf(given), given: url }, space, page, start, devOptions })
    },
  })
