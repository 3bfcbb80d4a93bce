import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { longest } from './longest-first.js'
import { allTests, projectOf, testProjects } from './test-projects.js'

test('each project has a command that runs it', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const run = Object.entries<string>(scripts)
    .filter(([name]) => name === 'test' || /^test:(browser|postgres|release)$/.test(name))
    .flatMap(([, command]) => [...command.matchAll(/--project=(\w+)/g)].map(([, project]) => project))
  expect(run.sort()).toEqual(
    testProjects()
      .map(({ test }) => test?.name)
      .sort(),
  )
})

test.each([
  ['test/handlers/replies.test.ts', 'quick'],
  ['test/cli/usage.test.ts', 'isolated'],
  ['test/conformance/worker.test.ts', 'browser'],
  ['test/store/postgres/postgres-store.test.ts', 'postgres'],
  ['test/release/package.test.ts', 'release'],
])('%s is one of the %s tests', (file, project) => {
  expect(projectOf(file)).toBe(project)
})

// Tests that do not run alone must not measure: they expect an order of events, or count, or set the clock.
test('a file that measures time runs alone', () => {
  const measures = /performance\.now\(\) - |hrtime|expect\(Date\.now\(\) -|\bms\)\.toBeLess/
  const measuring = allTests().filter((file) => file !== own && measures.test(readFileSync(file, 'utf8')))
  expect(measuring.filter((file) => projectOf(file) !== 'alone')).toEqual([])
})
const own = 'test/test-projects.test.ts'

test('the files that run first exist', () => {
  expect(allTests()).toEqual(expect.arrayContaining(longest.map((name) => `test/${name}.test.ts`)))
})
