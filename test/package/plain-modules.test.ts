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

it('costs nothing where it is imported and not used', async () => {
  const entry = `${process.cwd()}/unused-entry.js`
  const code = `import { createMock } from 'dashboard-api/msw'
    import { operations } from 'dashboard-api/contract'
    console.log('used')`
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
  const { output } = await bundle.generate()
  expect(output[0].code.length).toBeLessThan(200)
})
