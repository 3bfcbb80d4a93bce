import { readdirSync, readFileSync } from 'node:fs'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const texts = readdirSync('dist/entries')
  .filter((name) => name.endsWith('.js'))
  .map((name) => ({ name, text: readFileSync(`dist/entries/${name}`, 'utf8') }))

// webpack and Rspack refuse the name `module.exports` of an ES module, and warn of a `require` that they cannot follow.
it.each(texts)('$name imports packages by names, and does not look for require', ({ text }) => {
  expect(text.match(/^import \* as .* from "[^."].*"/gm) ?? []).toEqual([])
  expect(text).not.toMatch(/typeof require\b|\b__require\b/)
})

/** Bundles a module of a user. @returns the minified bytes */
async function bytesOf(code: string): Promise<number> {
  const entry = `${process.cwd()}/entry-of-user.js`
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        load: (id) => (id === entry ? code : undefined),
        resolveId: (id) => (id === entry ? id : undefined),
      },
    ],
  })
  const { output } = await bundle.generate({ minify: true })
  return output[0].code.length
}

it('costs nothing where it is imported and not used', async () => {
  const code = `import { createMock } from 'dashboard-api/msw'
    import { operations } from 'dashboard-api/contract'
    console.log('used')`
  expect(await bytesOf(code)).toBeLessThan(100)
})

it.each([
  ['maxBodyBytes', 100],
  ['nameKey', 300],
  ['errors', 4_000],
])('costs, for %s of dashboard-api/contract, less than %i bytes, without zod', async (name, bytes) => {
  const size = await bytesOf(`import { ${name} } from 'dashboard-api/contract'\nconsole.log(${name})`)
  expect(size).toBeLessThan(bytes)
})

it('costs more with a schema, which needs zod', async () => {
  expect(await bytesOf("export { Project } from 'dashboard-api/contract'")).toBeGreaterThan(50_000)
})
