import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Prints at the end of a run the slowest files and tests, the tests that failed, and one plain line:
 * `N passed, N failed, N skipped`.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const states = tests.map((test) => test.result().state)
    const count = (state: string) => states.filter((each) => each === state).length
    // A file that failed to load, and an error outside of tests, are also failures.
    const brokenModules = modules.filter((module) => module.errors().length > 0)
    const broken = brokenModules.length + unhandledErrors.length
    const slowFiles = slowest(modules, (module) => module.relativeModuleId)
    const slowTests = slowest(tests, titleOf)
    process.stdout.write(
      section('Slowest files', slowFiles) +
        section('Slowest tests', slowTests) +
        section(
          'Failed',
          [...brokenModules, ...tests.filter((test) => test.result().state === 'failed')].map(failureOf),
        ) +
        `${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped\n`,
    )
  }
}

const titleOf = (test: TestCase) => `${test.module.relativeModuleId} > ${test.fullName}`

/** The title of a test, and the first line of its first error. */
const failureOf = (item: TestModule | TestCase): string => {
  const [title, errors] =
    item.type === 'module' ? [item.relativeModuleId, item.errors()] : [titleOf(item), item.result().errors]
  return `${title}: ${errors?.[0]?.message.split('\n')[0]}`
}

type Timed = { diagnostic(): { duration: number } | undefined }

/** The lines of the slowest tests, among those that took a second or more. */
const slowest = <Item extends Timed>(items: readonly Item[], nameOf: (item: Item) => string): string[] =>
  items
    .map((item) => ({ item, ms: item.diagnostic()?.duration ?? 0 }))
    .filter(({ ms }) => ms >= 1000)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 10)
    .map(({ item, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${nameOf(item)}`)

const section = (title: string, lines: string[]): string =>
  lines.length > 0 ? `${title}:\n${lines.join('\n')}\n\n` : ''
