import type { Command } from 'commander'

/** The module of a command defines its options and its action. */
type CommandModule = { define(command: Command): unknown }
export type CommandEntry = [name: string, summary: string, load: () => Promise<CommandModule>]

const controls = () => import('./mock/control-groups.js')

/** Every command, in the order and under the headings of the help. */
export const commandGroups: [heading: string, commands: CommandEntry[]][] = [
  [
    'Mock:',
    [
      ['dev', 'serve the mock for front-end work', () => import('./dev-command.js')],
      ['mock', 'read and change a running mock', () => import('./mock-command.js')],
      [
        'session',
        'choose a persona of the mock; sessions of a database',
        () => import('./session-command.js'),
      ],
      ['reset', 'return the mock to its initial state', controls],
      ['state', 'save, export or replace the state of the mock', () => import('./state-command.js')],
      ['undo', 'take back the last change of the state', controls],
      ['redo', 'make an undone change again', controls],
      ['mcp', 'serve the controls of the mock to a coding agent', () => import('./mcp-command.js')],
      ['init', "copy MSW's worker script into a public folder", () => import('./init-command.js')],
    ],
  ],
  [
    'Production:',
    [
      ['serve', 'serve production over SQLite or PostgreSQL', () => import('./production/serve-command.js')],
      ['config', 'show the settings that "serve" would use', () => import('./production/config-command.js')],
      [
        'database',
        'check, migrate, back up, restore, vacuum, copy a database',
        () => import('./production/database-command.js'),
      ],
      ['seed', 'load data from a file, or generate it', () => import('./production/seed-command.js')],
      ['team', 'manage the teams of a database', () => import('./production/team-command.js')],
      [
        'project',
        'list and remove the projects of a database',
        () => import('./production/project-command.js'),
      ],
      [
        'user',
        'show, export and remove the users of a database',
        () => import('./production/user-command.js'),
      ],
      ['audit', 'list and export the audit log', () => import('./production/audit-command.js')],
      ['waitlist', 'manage the early-access waitlist', () => import('./production/waitlist-command.js')],
    ],
  ],
  [
    'Other:',
    [
      ['openapi', 'print the interface as an OpenAPI document', () => import('./openapi-command.js')],
      ['verify', 'check a running service against the interface', () => import('./verify-command.js')],
      ['completion', 'print a completion script', () => import('./completion-command.js')],
    ],
  ],
]
