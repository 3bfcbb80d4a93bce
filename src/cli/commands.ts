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
      ['session', 'personas of a running mock, sessions of production', () => import('./session-command.js')],
      ['persona', 'add and remove personas of a running mock', controls],
      ['project', 'projects of a running mock, or of production', () => import('./project-command.js')],
      ['data', 'records of any kind of a running mock', controls],
      ['scenario', 'force responses of a running mock', controls],
      ['delay', 'delay the responses of a running mock', controls],
      ['chaos', 'let requests to a running mock fail at random', controls],
      ['clock', 'set the clock of a running mock', controls],
      ['handlers', 'what requests reach, and what is forced as MSW handlers', controls],
      ['reset', 'return a running mock to its initial state', controls],
      ['snapshot', 'save and load the state of a running mock', controls],
      ['space', 'copies of a running mock, for parallel tests', controls],
      ['state', 'save, export or replace the state of a running mock', controls],
      ['log', 'requests to a running mock: show, send again', controls],
      ['undo', 'take back the last change of the state', controls],
      ['redo', 'make an undone change again', controls],
      ['mcp', 'serve the controls of a running mock to a coding agent', () => import('./mcp-command.js')],
      ['init', "copy MSW's worker script into a public folder", () => import('./init-command.js')],
    ],
  ],
  [
    'Production:',
    [
      ['serve', 'serve production from a SQLite file', () => import('./production/serve-command.js')],
      ['config', 'show the settings that "serve" would use', () => import('./production/config-command.js')],
      [
        'database',
        'check, migrate, back up, restore, vacuum, copy a database',
        () => import('./production/database-command.js'),
      ],
      ['seed', 'load data from a file, or generate it', () => import('./production/seed-command.js')],
      ['team', 'manage the teams of a database', () => import('./production/team-command.js')],
      [
        'user',
        'show, export and remove the users of a database',
        () => import('./production/user-command.js'),
      ],
      [
        'audit',
        'list and export the audit log: who did what, when, from where',
        () => import('./production/audit-command.js'),
      ],
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
