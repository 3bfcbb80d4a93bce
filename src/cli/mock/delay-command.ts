import type { Command } from 'commander'
import type { Delay } from '../../mock/core/delays.js'
import { examples, mockOptions } from '../options.js'
import { showTable } from '../output/output.js'
import { controlMock } from './control-mock.js'

export const define = (delay: Command) => {
  delay
    .description('Delay the responses of a running mock.')
    .addHelpText(
      'after',
      '\nFor no response at all, or a dropped connection: "scenario set OPERATION hang", or "drop".',
    )
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api delay set 300',
        'npx dashboard-api delay set 200-800 createProject',
        'npx dashboard-api delay clear',
      ),
    )

  mockOptions(delay.command('set'))
    .description('Set the delay of responses.')
    .argument('<ms>', 'milliseconds, e.g. 300, or a range, e.g. 200-800')
    .argument('[operation]', 'only this operation, e.g. createProject')
    .addHelpText(
      'after',
      examples('npx dashboard-api delay set 300', 'npx dashboard-api delay set 200-800 createProject'),
    )
    .action(async (ms, operation, { json, ...address }) =>
      showDelay(await controlMock(address)('setDelay', { ms, operation }), json),
    )

  mockOptions(delay.command('show'))
    .description('Show the delay of responses.')
    .addHelpText('after', examples('npx dashboard-api delay show'))
    .action(async ({ json, ...address }) => showDelay(await controlMock(address)('delay'), json))

  mockOptions(delay.command('clear'))
    .description('Remove every delay, or that of one operation.')
    .argument('[operation]', 'only this operation')
    .addHelpText(
      'after',
      examples('npx dashboard-api delay clear createProject', 'npx dashboard-api delay clear'),
    )
    .action(async (operation, { json, ...address }) => {
      const call = controlMock(address)
      if (operation === undefined) {
        const { operations } = await call('delay')
        for (const name of Object.keys(operations)) await call('setDelay', { ms: null, operation: name })
      }
      await showDelay(await call('setDelay', { ms: null, operation }), json)
    })
}

async function showDelay(data: Delay, json?: boolean): Promise<void> {
  const columns = [
    { title: 'Operation', value: ([name]: [string, string]) => name },
    { title: 'Milliseconds', value: ([, ms]: [string, string]) => ms },
  ]
  const rows: [string, string][] = [['all', data.all], ...Object.entries(data.operations)]
  await showTable({ data, columns, rows, emptyText: '' }, json)
}
