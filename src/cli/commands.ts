import type { Command } from 'commander'

/** The module of a command defines its options and its action. */
type CommandModule = { define(command: Command): unknown }
export type CommandEntry = [name: string, summary: string, load: () => Promise<CommandModule>]

/** Every command, in the order and under the headings of the help. */
export const commandGroups: [heading: string, commands: CommandEntry[]][] = [
  [
    'Mock:',
    [
      ['dev', 'serve the mock for front-end work', () => import('./dev-command.js')],
      ['session', 'personas of a running mock, sessions of production', () => import('./session-command.js')],
      ['persona', 'add and remove personas of a running mock', () => import('./mock/records-commands.js')],
      ['project', 'projects of a running mock, or of production', () => import('./project-command.js')],
      ['data', 'records of any kind of a running mock', () => import('./mock/records-commands.js')],
      ['scenario', 'force responses of a running mock', () => import('./mock/scenario-command.js')],
      ['delay', 'delay the responses of a running mock', () => import('./mock/settings-commands.js')],
      ['chaos', 'let requests to a running mock fail at random', () => import('./mock/settings-commands.js')],
      ['clock', 'set the clock of a running mock', () => import('./mock/settings-commands.js')],
      [
        'handlers',
        'what requests reach, and what is forced as MSW handlers',
        () => import('./mock/state-command.js').then(({ defineHandlers: define }) => ({ define })),
      ],
      ['reset', 'return a running mock to its initial state', () => import('./mock/settings-commands.js')],
      ['snapshot', 'save and load the state of a running mock', () => import('./mock/records-commands.js')],
      ['space', 'copies of a running mock, for parallel tests', () => import('./mock/records-commands.js')],
      [
        'state',
        'save, export or replace the state of a running mock',
        () => import('./mock/state-command.js'),
      ],
      ['log', 'requests to a running mock: show, send again', () => import('./mock/log-command.js')],
      ['undo', 'take back the last change of the state', () => import('./mock/settings-commands.js')],
      ['redo', 'make an undone change again', () => import('./mock/settings-commands.js')],
      ['init', "copy MSW's worker script into a public folder", () => import('./init-command.js')],
    ],
  ],
  [
    'Production:',
    [
      ['serve', 'serve production from a SQLite file', () => import('./production/serve-command.js')],
      ['config', 'show the settings that "serve" would use', () => import('./production/config-command.js')],
      ['database', 'check, migrate, back up, copy', () => import('./production/database-command.js')],
      ['seed', 'load data from a file, or generate it', () => import('./production/seed-command.js')],
      ['team', 'manage the teams of a database', () => import('./production/team-command.js')],
      ['user', 'show, export and remove users', () => import('./production/user-command.js')],
      ['audit', 'list and export the audit log', () => import('./production/audit-command.js')],
      ['waitlist', 'manage the early-access waitlist', () => import('./production/waitlist-command.js')],
    ],
  ],
  [
    'Interface:',
    [
      ['openapi', 'print the interface as an OpenAPI document', () => import('./openapi-command.js')],
      ['verify', 'check a running service against the interface', () => import('./verify-command.js')],
    ],
  ],
  ['Shell:', [['completion', 'print a completion script', () => import('./completion-command.js')]]],
]
