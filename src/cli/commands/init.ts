import type { Command } from 'commander'
import type { WorkerScriptReport } from '../actions/worker-script.js'
import { printMessage, show } from '../output/output.js'
import { Failure } from '../user-error.js'
import { examples, jsonOption } from './options.js'

export const init = (program: Command) =>
  program
    .command('init')
    .description(
      "Put MSW's worker script where a front end serves it; with dashboard-api/vite there is no need to.",
    )
    .argument('<public-dir>', 'the folder whose files your site serves as they are, e.g. public')
    .option('--check', 'change nothing, and exit with 1 where the copy is missing or out of date')
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api init public', 'npx dashboard-api init public --check'))
    .action(async (folder, { check, json }) => {
      const { placeWorkerScript } = await import('../actions/worker-script.js')
      const report = await placeWorkerScript(folder, { check })
      await show({ data: report, lines: [report.file] }, json)
      if (report.status === 'missing' || report.status === 'out of date') {
        throw new Failure(sentence(report), `Run "npx dashboard-api init ${folder}".`)
      }
      printMessage(sentence(report))
    })

function sentence({ file, status, version, previous }: WorkerScriptReport): string {
  switch (status) {
    case 'created':
      return `Created ${file} of MSW ${version}.`
    case 'up to date':
      return `${file} is up to date: MSW ${version}.`
    case 'missing':
      return `${file} is missing.`
    case 'updated':
      return previous
        ? `Updated ${file} from MSW ${previous} to ${version}.`
        : `Updated ${file}: it was not what MSW ${version} brought.`
    case 'out of date':
      return previous
        ? `${file} is out of date: it is of MSW ${previous}, and ${version} is installed.`
        : `${file} is not what MSW ${version} brought; it must not be edited.`
  }
}
