import type { Command } from 'commander'
import { describeStep } from '../output/detail-lines.js'
import { show } from '../output/output.js'
import { controlCommand } from './control-command.js'
import { chaosProfiles, delays } from './mock-tables.js'

export const define = (group: Command) => groups[group.name()]?.(group)

const groups: Record<string, (group: Command) => void> = {
  delay(group) {
    group.description('Delay the responses of a running mock.')
    const hint =
      '\nFor no response at all, or a dropped connection: "scenario set OPERATION hang", or "drop".'
    group.addHelpText('after', hint)
    const examples = ['300', '200-800 createProject']
    controlCommand(group, 'set <ms> [operation]', 'setDelay', { examples, print: delays })
    controlCommand(group, 'show', 'delay', { print: delays })
    controlCommand(group, 'clear [operation]', 'setDelay', {
      about: 'Remove every delay, or that of one operation.',
      isBare: true,
      examples: ['createProject', ''],
      async call(call, { operation }) {
        const others = operation === undefined ? Object.keys((await call('delay')).operations) : []
        for (const name of others) await call('setDelay', { ms: null, operation: name })
        return call('setDelay', { ms: null, operation })
      },
      print: delays,
    })
  },
  chaos(group) {
    group.description('Let requests to a running mock fail or wait at random, repeatable by a seed.')
    const hint =
      '\nWith the same seed, the requests of an operation from now on get the same as before, in their order.'
    group.addHelpText('after', hint)
    controlCommand(group, 'set [operation]', 'setChaos', {
      examples: [
        '--error-rate 0.1 --delay 200-2000 --seed 7',
        'createProject --error-rate 0.5 --outcome 503 drop',
      ],
      print: chaosProfiles,
    })
    controlCommand(group, 'show', 'chaos', { print: chaosProfiles })
    const examples = ['createProject', '']
    controlCommand(group, 'clear [operation]', 'clearChaos', { examples, print: chaosProfiles })
  },
  clock(group) {
    group.description('Set the clock of a running mock, so that its responses are repeatable.')
    const print = (data: { now: string; mode: string }, { json }: { json?: boolean }) =>
      show({ data, lines: [`${data.now}\t${data.mode}`] }, json)
    const examples = ['2026-01-01T00:00:00Z', '2026-01-01T09:00:00+01:00 --ticking']
    controlCommand(group, 'set <at>', 'setClock', { examples, print })
    controlCommand(group, 'show', 'clock', { print })
    controlCommand(group, 'clear', 'setClock', { about: 'Return to the real time.', isBare: true, print })
  },
  reset(group) {
    const message = () => 'The mock is in its initial state, with an empty log.'
    controlCommand(group, '', 'reset', { message })
  },
  undo: (group) => controlCommand(group, '', 'undo', { message: (step) => describeStep('Undone', step) }),
  redo: (group) => controlCommand(group, '', 'redo', { message: (step) => describeStep('Made again', step) }),
}
