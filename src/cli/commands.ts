import type { Command } from 'commander'

/** A command as the list of all shows it; its module is loaded where it is meant. */
export type Entry = { name: string; summary: string; load(): Promise<(program: Command) => unknown> }

const entry = (name: string, summary: string, load: Entry['load']): Entry => ({ name, summary, load })

/** Every command, in the order and under the headings of the help. */
export const groups: [heading: string, entries: Entry[]][] = [
  [
    'The mock:',
    [
      entry(
        'dev',
        'serve the mock, for work on a front end',
        async () => (await import('./commands/dev.js')).dev,
      ),
      entry(
        'session',
        'personas of a running mock, sessions of production',
        async () => (await import('./commands/session.js')).session,
      ),
      entry(
        'scenario',
        'force what a running mock answers',
        async () => (await import('./commands/scenario.js')).scenario,
      ),
      entry(
        'delay',
        'make a running mock answer late',
        async () => (await import('./commands/delay.js')).delay,
      ),
      entry(
        'clock',
        'fix the time of a running mock',
        async () => (await import('./commands/clock.js')).clock,
      ),
      entry(
        'reset',
        'return a running mock to how it began',
        async () => (await import('./commands/reset.js')).reset,
      ),
      entry(
        'snapshot',
        'keep the state of a running mock under a name',
        async () => (await import('./commands/snapshot.js')).snapshot,
      ),
      entry(
        'state',
        'take out or replace what a running mock holds',
        async () => (await import('./commands/state.js')).state,
      ),
      entry('log', 'show what a running mock was asked', async () => (await import('./commands/log.js')).log),
      entry(
        'init',
        "put MSW's worker script where a front end serves it",
        async () => (await import('./commands/init.js')).init,
      ),
    ],
  ],
  [
    'Production:',
    [
      entry(
        'serve',
        'serve production over a SQLite file',
        async () => (await import('./commands/serve.js')).serve,
      ),
      entry(
        'config',
        'show the settings that "serve" would run with',
        async () => (await import('./commands/config.js')).config,
      ),
      entry(
        'database',
        'check, migrate, back up, restore the SQLite file',
        async () => (await import('./commands/database.js')).database,
      ),
      entry(
        'seed',
        'load data into a database, from a file or generated',
        async () => (await import('./commands/seed.js')).seed,
      ),
      entry('team', 'the teams of a database', async () => (await import('./commands/team.js')).team),
      entry('user', 'the users of a database', async () => (await import('./commands/user.js')).user),
      entry(
        'project',
        'the projects of a database',
        async () => (await import('./commands/project.js')).project,
      ),
      entry(
        'waitlist',
        'the early-access waitlist of a database',
        async () => (await import('./commands/waitlist.js')).waitlist,
      ),
    ],
  ],
  [
    'The interface:',
    [
      entry(
        'openapi',
        'print the interface as an OpenAPI document',
        async () => (await import('./commands/openapi.js')).openapi,
      ),
      entry(
        'verify',
        'check that a running service keeps the interface',
        async () => (await import('./commands/verify.js')).verify,
      ),
    ],
  ],
  [
    'The shell:',
    [
      entry(
        'completion',
        'print a script that completes commands in a shell',
        async () => (await import('./commands/completion.js')).completion,
      ),
    ],
  ],
]
