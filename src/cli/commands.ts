import type { Command } from 'commander'
import { clock } from './commands/clock.js'
import { completion } from './commands/completion.js'
import { config } from './commands/config.js'
import { database } from './commands/database.js'
import { delay } from './commands/delay.js'
import { dev } from './commands/dev.js'
import { init } from './commands/init.js'
import { log } from './commands/log.js'
import { openapi } from './commands/openapi.js'
import { project } from './commands/project.js'
import { reset } from './commands/reset.js'
import { scenario } from './commands/scenario.js'
import { seed } from './commands/seed.js'
import { serve } from './commands/serve.js'
import { session } from './commands/session.js'
import { snapshot } from './commands/snapshot.js'
import { state } from './commands/state.js'
import { team } from './commands/team.js'
import { user } from './commands/user.js'
import { verify } from './commands/verify.js'
import { waitlist } from './commands/waitlist.js'

/** A command as the list of all shows it; what it does is loaded once it acts. */
export type Entry = { name: string; summary: string; add(program: Command): unknown }

/** Every command, in the order and under the headings of the help. */
export const groups: [heading: string, entries: Entry[]][] = [
  [
    'The mock:',
    [
      { name: 'dev', summary: 'serve the mock, for work on a front end', add: dev },
      { name: 'session', summary: 'personas of a running mock, sessions of production', add: session },
      { name: 'scenario', summary: 'force what a running mock answers', add: scenario },
      { name: 'delay', summary: 'make a running mock answer late', add: delay },
      { name: 'clock', summary: 'fix the time of a running mock', add: clock },
      { name: 'reset', summary: 'return a running mock to how it began', add: reset },
      { name: 'snapshot', summary: 'keep the state of a running mock under a name', add: snapshot },
      { name: 'state', summary: 'take out or replace what a running mock holds', add: state },
      { name: 'log', summary: 'show what a running mock was asked', add: log },
      { name: 'init', summary: "put MSW's worker script where a front end serves it", add: init },
    ],
  ],
  [
    'Production:',
    [
      { name: 'serve', summary: 'serve production over a SQLite file', add: serve },
      { name: 'config', summary: 'show the settings that "serve" would run with', add: config },
      { name: 'database', summary: 'check, migrate, back up, restore the SQLite file', add: database },
      { name: 'seed', summary: 'load data into a database, from a file or generated', add: seed },
      { name: 'team', summary: 'the teams of a database', add: team },
      { name: 'user', summary: 'the users of a database', add: user },
      { name: 'project', summary: 'the projects of a database', add: project },
      { name: 'waitlist', summary: 'the early-access waitlist of a database', add: waitlist },
    ],
  ],
  [
    'The interface:',
    [
      { name: 'openapi', summary: 'print the interface as an OpenAPI document', add: openapi },
      { name: 'verify', summary: 'check that a running service keeps the interface', add: verify },
    ],
  ],
  [
    'The shell:',
    [{ name: 'completion', summary: 'print a script that completes commands in a shell', add: completion }],
  ],
]
