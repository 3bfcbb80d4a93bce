import { builtinModules } from 'node:module'
import { expect, test } from 'vitest'
import { reachableFrom, sourcesAt, sourceText, withoutText } from './import-graph.js'

const browserSources = [
  'src/contract',
  'src/handlers',
  'src/pages',
  'src/client',
  'src/store/memory/memory-store.ts',
  'src/mock/state',
  'src/mock/engine',
  'src/mock/log',
  'src/mock/controls',
  'src/mock/surfaces',
  'src/mock/browser.ts',
  'src/mock/panel',
  'src/mock/panel.ts',
].flatMap(sourcesAt)

const reached = [...reachableFrom(browserSources)].sort()
const files = reached.filter((name) => name.startsWith('src/'))
const packages = reached.filter((name) => !name.startsWith('src/'))

test('the mock in a browser imports handlers, contract and store', () => {
  expect(reached).toEqual(
    expect.arrayContaining([
      'src/handlers/api.ts',
      'src/contract/operations.ts',
      'src/store/state-file.ts',
      'msw',
    ]),
  )
})

test('browser code imports no modules of Node, and only these packages', () => {
  expect(packages.filter((name) => name.startsWith('node:') || builtinModules.includes(name))).toEqual([])
  expect(packages).toEqual([
    '#demo-fixture',
    '#workbench-document',
    '@mswjs/data',
    'msw',
    'msw/browser',
    'zod',
  ])
})

test.each(files)('%s uses no globals of Node', (file) => {
  const names = withoutText(sourceText(file)).match(
    /\b(process|Buffer|require|__dirname|__filename|setImmediate)\b/g,
  )
  expect(names).toBeNull()
})
