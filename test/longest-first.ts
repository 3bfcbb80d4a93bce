import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest files, slowest first: a slow file that starts last would leave the other workers idle. */
export const longest = [
  'store/postgres/postgres-copy',
  'release/help-examples',
  'release/package',
  'release/runbook',
  'examples/dashboard',
  'mock/playwright',
  'release/prism',
  'examples/cluster',
  'release/balancers',
  'conformance/broken-servers',
  'cli/mock/dev',
  'conformance/production',
  'cli/production/audit',
  'conformance/verify',
  'cli/production/commands-postgres',
  'parity/parity',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const index = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  return index < 0 ? longest.length : index
}

/** Runs the long test files first, and the quick ones last: a worker keeps their modules for the next file. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isQuick = ({ project }: TestSpecification) => Number(project.name === 'quick')
    return [...files].sort((a, b) => isQuick(a) - isQuick(b) || rank(a) - rank(b))
  }
}
