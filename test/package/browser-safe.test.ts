import { builtinModules } from 'node:module'
import { expect, test } from 'vitest'
import { reachableFrom, sourcesAt, sourceText, withoutText } from './import-graph.js'

const inBrowser = [
  'src/contract',
  'src/handlers',
  'src/pages',
  'src/client',
  'src/store/memory/memory-store.ts',
  'src/mock/core',
  'src/mock/browser.ts',
].flatMap(sourcesAt)

const reached = [...reachableFrom(inBrowser)].sort()
const files = reached.filter((name) => name.startsWith('src/'))
const packages = reached.filter((name) => !name.startsWith('src/'))

test('the mock in a browser leads to handlers, contract and store', () => {
  expect(reached).toEqual(
    expect.arrayContaining([
      'src/handlers/api.ts',
      'src/contract/operations.ts',
      'src/store/state-file.ts',
      'msw',
    ]),
  )
})

test('what runs in a browser imports nothing of Node, and no package but these', () => {
  expect(packages.filter((name) => name.startsWith('node:') || builtinModules.includes(name))).toEqual([])
  expect(packages).toEqual(['#demo-fixture', '@mswjs/data', 'msw', 'msw/browser', 'uuid', 'zod'])
})

test.each(files)('%s names nothing that only Node has', (file) => {
  const names = withoutText(sourceText(file)).match(
    /\b(process|Buffer|require|__dirname|__filename|setImmediate)\b/g,
  )
  expect(names).toBeNull()
})

test('handlers know the contract and the store by its interface, and no framework', () => {
  const known = [...reachableFrom(sourcesAt('src/handlers'))]
  const others = known.filter((name) => !/^src\/(contract|handlers)\//.test(name))
  expect(others.sort()).toEqual(['src/store/state-file.ts', 'src/store/store.ts', 'zod'])
})

test('the contract knows nothing but zod', () => {
  const others = [...reachableFrom(sourcesAt('src/contract'))].filter(
    (name) => !name.startsWith('src/contract/'),
  )
  expect(others).toEqual(['zod'])
})

test('a store implementation knows no handler, no server and no mock', () => {
  const known = [...reachableFrom(sourcesAt('src/store'))].filter((name) => name.startsWith('src/'))
  expect(known.filter((name) => !/^src\/(contract|store)\//.test(name))).toEqual([])
})

test('the table of HTTP cases can be played by any program', () => {
  const known = [...reachableFrom(['src/verify/cases/cases.ts', 'src/verify/runner/play.ts'])]
  const others = known.filter((name) => !/^src\/(verify|contract)\//.test(name))
  expect(others.sort()).toEqual(['zod'])
})
