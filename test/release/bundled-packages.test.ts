import { readFileSync } from 'node:fs'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { describe, expect, it } from 'vitest'
import { chunks, sourcesOf } from '../package/executable-chunks.js'

const { dependencies, version } = JSON.parse(readFileSync('package.json', 'utf8'))

const packageNames = (files: string[]) =>
  new Set(
    files.flatMap((file) => file.match(/(?<=node_modules\/)(?:@[^/]+\/)?[^/]+(?!.*node_modules\/)/) ?? []),
  )

const isBundled: Record<string, string[]> = {
  executable: ['commander', 'ink', 'react', '@mswjs/data', '@faker-js/faker', 'msw', 'zod'],
  entries: ['@mswjs/data', 'zod'],
}

describe.each(['executable', 'entries'])('the packages bundled in dist/%s', (folder) => {
  const bom = readFileSync(`dist/${folder}/bom.cdx.json`, 'utf8')
  const { metadata, components } = JSON.parse(bom) as {
    metadata: { component: Record<string, unknown> }
    components: Record<string, string>[]
  }
  const names = components.map(({ name }) => name)

  it('have a valid bill of materials', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
    expect(await validator.validate(bom)).toBeNull()
    expect(metadata.component).toMatchObject({ name: 'dashboard-api', version })
  })

  it('are listed with name, version, package URL and licence', () => {
    for (const { name = '', version, purl, licenses } of components) {
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
      expect(licenses, name).toEqual([
        { license: { id: expect.stringMatching(/^(MIT|ISC|BSD-3-Clause|Apache-2.0)$/) } },
      ])
    }
    expect(names).toEqual(expect.arrayContaining(isBundled[folder] ?? []))
  })

  it('have their licence texts beside them', () => {
    const licenses = readFileSync(`dist/${folder}/LICENSES.txt`, 'utf8')
    for (const { name, version } of components) expect(licenses).toContain(`${name}@${version} (`)
    for (const name of isBundled[folder] ?? []) {
      expect(licenses).toMatch(new RegExp(`^${name}@[\\d.]+ \\(MIT\\)\n\n.*\\bMIT\\b`, 'ms'))
    }
  })
})

describe('the executable', () => {
  it('contains every listed package and no other', () => {
    const { components } = JSON.parse(readFileSync('dist/executable/bom.cdx.json', 'utf8'))
    const listed = new Set(components.map(({ name }: { name: string }) => name))
    expect([...packageNames(chunks().flatMap(sourcesOf))].filter((name) => !listed.has(name))).toEqual([])
  })

  it('contains no package that faces the network in production', () => {
    const bundled = packageNames(chunks().flatMap(sourcesOf))
    const found = Object.keys(dependencies).filter((name) => bundled.has(name))
    // The checks of requests, in a form that loads fast.
    expect(found).toEqual(['zod'])
  })
})
