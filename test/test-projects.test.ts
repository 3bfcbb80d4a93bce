import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { longest } from './longest-first.js'
import { allTests } from './quick-tests.js'
import { testProjects } from './test-projects.js'

const projects = Object.fromEntries(
  testProjects(allTests()).map(({ test }) => [String(test?.name), test?.include ?? []]),
)

test('every test file belongs to one project', () => {
  expect(Object.values(projects).flat().sort()).toEqual(allTests().sort())
})

// On a busy machine everything takes longer: the others expect an order of events, or count, or set the clock.
test('a file that measures time runs alone', () => {
  const measures = /performance\.now\(|hrtime|expect\(Date\.now\(\) -|\bms\)\.toBeLess/
  const measuring = allTests().filter((file) => measures.test(readFileSync(file, 'utf8')))
  expect(projects.alone).toEqual(expect.arrayContaining(measuring.filter((file) => file !== own)))
})
const own = 'test/test-projects.test.ts'

test('the files that are run first exist', () => {
  expect(allTests()).toEqual(expect.arrayContaining(longest.map((name) => `test/${name}.test.ts`)))
})
