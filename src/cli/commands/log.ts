import { type Command, Option } from 'commander'
import { printLine, showLog } from '../output/output.js'
import { examples, jsonOption, parseCount, spaceOption, urlOption } from './options.js'

export const log = (program: Command) =>
  program
    .command('log')
    .description('Show what a running mock was asked, what it answered, and what decided it.')
    .addOption(urlOption())
    .addOption(spaceOption())
    .option('--follow', 'go on with what is asked from now on')
    .addOption(
      new Option('--curl <id>', 'print the command line that repeats the request with this id')
        .argParser(parseCount)
        .conflicts(['follow', 'json', 'clear']),
    )
    .addOption(new Option('--clear', 'empty it').conflicts(['follow', 'json']))
    .addOption(jsonOption('print JSON lines, one for each request'))
    .addHelpText(
      'after',
      examples('npx dashboard-api log', 'npx dashboard-api log --json', 'npx dashboard-api log --follow'),
    )
    .action(async ({ follow, curl, clear, json, ...at }) => {
      const { clearLog, curlOf, followLog, readLog } = await import('../actions/log.js')
      if (curl !== undefined) return printLine(await curlOf(at, curl))
      if (clear) return clearLog(at)
      if (!follow) return (await readLog(at)).forEach(showLog(json))
      const { shutdownSignal } = await import('../actions/shutdown.js')
      const signal = shutdownSignal()
      await followLog(at, showLog(json), signal)
    })
