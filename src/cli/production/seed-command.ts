import { type Command, Option } from 'commander'
import { addCommand } from '../define-command.js'
import { jsonOption, parseAmount, settingOption, yesOption } from '../options.js'

const notes = `
Existing records stay, so the same command completes an interrupted one. The same seed generates the same records. Sessions
and the waitlist of a state file are not loaded.`

const generated = ['teams', 'users', 'projects', 'seed']

export const define = (seed: Command) =>
  addCommand(seed, '', {
    about: 'Load teams, users and projects into a database, from a state file or generated.',
    options: [
      settingOption('database'),
      new Option('--from <file>', 'the state file (default: the demo fixture)').conflicts(generated),
      ['--teams <count>', 'generate this many teams (default: 10)', parseAmount],
      ['--users <count>', 'users of each team (default: 5)', parseAmount],
      ['--projects <count>', 'projects of each team (default: 10)', parseAmount],
      ['--seed <number>', 'the seed of the generated data (default: 1)', parseAmount],
      new Option('--demo', 'load the demo fixture into a database that has other data').conflicts(generated),
      new Option('--remove', 'remove what the state file loads').conflicts([...generated, 'demo']),
      yesOption(),
      jsonOption('print JSON; JSON lines for generated data'),
    ],
    notes,
    examples: [
      '',
      '--remove --yes',
      '--database data/trial.db --json',
      '--database data/large.db --teams 20 --projects 50 --users 5 --seed 42',
    ],
    async run(given) {
      if (generated.some((name) => given[name] !== undefined)) {
        return (await import('./seed-generated.js')).seedGenerated(given)
      }
      const { removeSeeded, seedFromFile } = await import('./seed-from-file.js')
      return given.remove ? removeSeeded(given) : seedFromFile(given)
    },
  })
