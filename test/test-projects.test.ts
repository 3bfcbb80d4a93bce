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

test('npm test leaves out one project, which has a command of its own', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(scripts.test).toMatch(/ vitest run --project=!release$/)
  expect(scripts['test:release']).toMatch(/ vitest run --project=release$/)
  expect(projects.release?.length).toBeGreaterThan(10)
})

test('a file that replaces modules does not share them', () => {
  const replacing = allTests().filter((file) => /^vi\.(mock|hoisted)\(/m.test(readFileSync(file, 'utf8')))
  expect(replacing.length).toBeGreaterThan(0)
  for (const file of replacing) expect(projects.shared).not.toContain(file)
})

test('the files that are run first exist', () => {
  expect(allTests()).toEqual(expect.arrayContaining(longest.map((name) => `test/${name}.test.ts`)))
})
