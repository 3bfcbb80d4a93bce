import { readFileSync } from 'node:fs'
import { reachableFrom, sourcesAt } from './package/import-graph.js'

const slow = /^(node:child_process|playwright-core|rolldown|vite|dashboard-api\/.*)$/

/** All test files. */
export const allTests = (): string[] => sourcesAt('test').filter((file) => /\.test\.tsx?$/.test(file))

/** The test files that start no process, no browser and no PostgreSQL, and read nothing that the build makes. */
export const quickTests = (): string[] =>
  allTests()
    .filter((file) => !/postgres/.test(file))
    .filter((file) => {
      const reached = [...reachableFrom([file], (imported) => imported.startsWith('test/'))]
      return !reached.some((name) => slow.test(name) || (/^test\/.*\.tsx?$/.test(name) && readsBuild(name)))
    })

const readsBuild = (file: string) => /['"`/]dist\//.test(readFileSync(file, 'utf8'))
