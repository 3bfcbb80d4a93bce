import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import preset from '../../jest-preset.json' with { type: 'json' }

// Jest itself runs in examples/jest (`npm run check:examples`). This test notices a package that the preset lacks.

const ignored = preset.transformIgnorePatterns.map((pattern) => new RegExp(pattern))
const transformed = Object.keys(preset.transform).map((pattern) => new RegExp(pattern))
const isCompiled = (file: string) =>
  transformed.some((pattern) => pattern.test(file)) && !ignored.some((pattern) => pattern.test(file))

it('makes Jest compile every package of the mock that has only ES modules', async () => {
  const modules = (await modulesOfMock()).filter(isOfEsModulesOnly)
  expect(modules.some((file) => file.includes('/node_modules/rettime/'))).toBe(true)
  expect(modules.filter((file) => !isCompiled(file))).toEqual([])
})

it('can be spread into a configuration that has a preset already', () => {
  expect(createRequire(import.meta.url)('dashboard-api/jest-preset')).toEqual(preset)
})

it.each([
  ['/app/node_modules/dashboard-api/dist/entries/node.js', true],
  ['/app/node_modules/msw/node_modules/rettime/build/index.mjs', true],
  ['/app/node_modules/.pnpm/until-async@3.0.2/node_modules/until-async/lib/index.js', true],
  ['/app/node_modules/dashboard-api/node_modules/lru-cache/dist/commonjs/index.js', false],
  ['/app/node_modules/react/index.js', false],
  ['/app/src/app.tsx', true],
])('%s is compiled: %s', (file, expected) => {
  expect(isCompiled(file)).toBe(expected)
})

/** The files of packages that the mock loads. */
async function modulesOfMock(): Promise<string[]> {
  const bundle = await rolldown({
    input: 'dist/entries/node.js',
    platform: 'node',
    resolve: { conditionNames: ['require', 'default'], mainFields: ['main'] },
    logLevel: 'silent',
  })
  const { output } = await bundle.generate()
  return output
    .flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    .filter((file) => file.includes('/node_modules/'))
}

/** Whether a file belongs to a package without a CommonJS build, which Jest would use. */
function isOfEsModulesOnly(file: string): boolean {
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  const { type, exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return type === 'module' && !/"require"|\.cjs"/.test(JSON.stringify(exports))
}
